// The current withdrawal. It outlives its page, so that no money is sent twice because somebody returned to the page.
import { api, Intention, type Schemas } from "$shared/api/client";
import { isUncertain } from "$shared/api/errors";
import { carryThrough } from "../connected";

type Wanted = Schemas["NewWithdrawal"];

class Withdrawal {
  /** The withdrawal that is being sent. */
  wanted: Wanted | null = $state.raw(null);
  isWaiting = $state(false);

  /** The last attempt whose outcome is unknown: repeating the same withdrawal repeats that attempt. */
  #unknown: { wanted: Wanted; intention: Intention } | null = null;

  /** Throws like a request. Call it only while no withdrawal is being sent. */
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
