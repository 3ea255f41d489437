// The steps of a sign-in: the phone number, the code that is sent to it, and the name of new people.
import { m } from "$words";
import { answer, api, type Schemas } from "../api/client";
import { config } from "../api/config";
import { NoAnswer, Refusal, refusalOf, type Code } from "../api/errors";
import { API, session } from "../api/session.svelte";
import { now } from "../text/clock.svelte";
import { language } from "../text/language.svelte";
import { explain, faultOf } from "../text/refusals";
import { keepDevice, knownDevice } from "./device";
import { phoneOf } from "./phone";
import { forgetSending, keepSending, keptSending } from "./sent";

type Step = "phone" | "code" | "name";

const USUALLY_VALID_MS = 300_000;

export class Signing {
  // People leave to read the message with the code, and their phone may close the page meanwhile.
  readonly #sent = keptSending();
  step: Step = $state(this.#sent === null ? "phone" : "code");
  typed = $state(this.#sent?.typed ?? "");
  countryCode = $state("+91");
  /** The number that a code was sent to. */
  phone = $state(this.#sent?.phone ?? "");
  code = $state("");
  name = $state("");
  shownCode: string | null = $state(null);
  lockedBy: "code" | "send" = $state("code");
  busy = $state(false);
  wrong: string | null = $state(null);
  resent = $state(false);
  #resendAt = $state(this.#sent?.resendAt ?? 0);
  #lockedUntil = $state(0);
  #verified: Schemas["Verified"] | null = null;

  readonly resendIn = $derived(this.step === "code" ? Math.ceil((this.#resendAt - now()) / 1000) : 0);
  readonly lockedFor = $derived(
    this.#lockedUntil === 0 ? 0 : Math.max(0, Math.ceil((this.#lockedUntil - now()) / 1000)),
  );

  constructor(
    /** Called once another step is shown. */
    readonly onstep: () => Promise<void>,
    readonly onsignedin: (answer: Schemas["Verified"]) => void,
  ) {
    // If the service can't be reached, the default country is right for most people here.
    config().then(
      (known) => (this.countryCode = known.country_code),
      () => {},
    );
  }

  async #show(next: Step) {
    this.step = next;
    this.wrong = null;
    this.resent = false;
    await this.onstep();
  }

  async #attempt(work: () => Promise<void>, words: Partial<Record<Code, string>> = {}) {
    if (this.busy) return;
    this.busy = true;
    this.wrong = null;
    try {
      await work();
    } catch (error) {
      this.wrong = explain(error, { FORBIDDEN: m.shared_signin_administrator(), ...words });
    } finally {
      this.busy = false;
    }
  }

  #lock(seconds: number, by: "code" | "send") {
    this.#lockedUntil = Date.now() + seconds * 1000;
    this.lockedBy = by;
  }

  changePhone() {
    forgetSending();
    void this.#show("phone");
  }

  send() {
    const number = phoneOf(this.typed, this.countryCode);
    if (number === null) {
      this.wrong =
        this.countryCode === "+91" && !this.typed.trim().startsWith("+")
          ? m.shared_signin_phone_wrong()
          : m.shared_signin_phone_wrong_abroad();
      return;
    }
    // The code that is on its way is still valid.
    if (number === this.phone && Date.now() < this.#resendAt) return void this.#show("code");
    void this.#attempt(() => this.#sendTo(number), { VALIDATION_FAILED: m.shared_signin_phone_no_texts() });
  }

  async #sendTo(number: string) {
    const isAgain = this.step === "code";
    let until = Date.now() + USUALLY_VALID_MS;
    try {
      const { data } = await answer(api.POST("/auth/send-otp", { body: { phone: number, ...knownDevice() } }));
      this.#resendAt = Date.now() + data.resendAfter * 1000;
      this.shownCode = data.otp ?? null;
      until = Date.now() + data.expiresIn * 1000;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "RATE_LIMITED" && error.retryAfterS !== null)) throw error;
      if (error.retryAfterS > 60) {
        this.#lock(error.retryAfterS, "send");
        return;
      }
      // A code was sent a moment ago, for example before a reload.
      this.#resendAt = Date.now() + error.retryAfterS * 1000;
      this.shownCode = null;
    }
    this.phone = number;
    this.code = "";
    this.#lockedUntil = 0;
    keepSending({ phone: this.phone, typed: this.typed, resendAt: this.#resendAt, until });
    await this.#show("code");
    this.resent = isAgain;
  }

  verify() {
    if (this.code.length < 6) {
      this.wrong = m.shared_signin_code_short();
      return;
    }
    void this.#attempt(async () => {
      try {
        const body = { phone: this.phone, otp: this.code, ...knownDevice() };
        const { data } = await answer(api.POST("/auth/verify-otp", { body }));
        keepDevice(data.deviceToken);
        this.#verified = data;
      } catch (error) {
        if (error instanceof Refusal) this.code = "";
        if (error instanceof Refusal && error.code === "RATE_LIMITED" && error.retryAfterS !== null)
          return this.#lock(error.retryAfterS, "code");
        throw error;
      }
      if (this.#verified.isNewUser) return this.#show("name");
      this.#finish();
      language.report();
    });
  }

  keepName() {
    const wanted = this.name.trim();
    if (wanted === "") {
      this.wrong = m.shared_signin_name_missing();
      return;
    }
    // The session begins for the rest of the app only after this, so requests don't find its token yet.
    void this.#attempt(async () => {
      const response = await fetch(`${API}/users/me`, {
        method: "PATCH",
        headers: { "content-type": "application/json", authorization: `Bearer ${this.#verified?.accessToken}` },
        body: JSON.stringify({ name: wanted, language: language.current }),
      }).catch(() => {
        throw new NoAnswer("The service can't be reached.");
      });
      const body: unknown = await response.json().catch(() => null);
      if (!response.ok) {
        const refusal = refusalOf(response.status, body, response.headers.get("retry-after"));
        this.wrong = faultOf(refusal, "name");
        if (this.wrong === null) throw refusal;
        return;
      }
      this.#finish();
    });
  }

  #finish() {
    if (this.#verified === null) return;
    forgetSending();
    session.accept(this.#verified);
    this.onsignedin(this.#verified);
  }
}
