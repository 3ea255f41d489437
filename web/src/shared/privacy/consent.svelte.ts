// Asks for consent to the privacy notice, but only once the service has refused something for lack of it: operators
// without a notice, and people who have agreed, never see it.
import { withConsent } from "./needed";

class Consent {
  #answer: ((hasAgreed: boolean) => void) | null = $state.raw(null);

  /** Whether the notice is on the screen. */
  get isAsked(): boolean {
    return this.#answer !== null;
  }

  /** Shows the notice; resolves to whether the person has agreed. */
  ask = (): Promise<boolean> => {
    this.settle(false);
    return new Promise((resolve) => (this.#answer = resolve));
  };

  settle = (hasAgreed: boolean): void => {
    this.#answer?.(hasAgreed);
    this.#answer = null;
  };

  /** Runs an action that may need consent. */
  first<T>(act: () => Promise<T>): Promise<T> {
    return withConsent(act, this.ask);
  }
}

export const consent = new Consent();
