// The withdrawal under way. It outlives its page, so that money does not go out twice because somebody came back to it.
import { api, Intention, type Schemas } from "$shared/api/client";
import { isUncertain } from "$shared/api/errors";
import { carryThrough } from "../connected";

type Wanted = Schemas["NewWithdrawal"];

class Withdrawal {
  /** What is being sent. */
  wanted: Wanted | null = $state.raw(null);
  isWaiting = $state(false);

  /** The last try of which nobody knows what became: the same withdrawal again is that one. */
  #unknown: { wanted: Wanted; intention: Intention } | null = null;

  /** Throws like a request. Call it only while none is under way. */
  async send(wanted: Wanted): Promise<void> {
    const isSame =
      this.#unknown?.wanted.amount === wanted.amount && this.#unknown.wanted.upi_account_id === wanted.upi_account_id;
    const intention = isSame && this.#unknown ? this.#unknown.intention : new Intention();
    this.wanted = wanted;
    this.#unknown = { wanted, intention };
    try {
      await carryThrough(
        () => intention.carryOut((header) => api.POST("/wallet/withdrawals", { params: { header }, body: wanted })),
        (is) => (this.isWaiting = is),
      );
      this.#unknown = null;
    } catch (error) {
      if (!isUncertain(error)) this.#unknown = null;
      throw error;
    } finally {
      this.wanted = null;
    }
  }
}

export const withdrawal = new Withdrawal();
