// Asking for consent to the privacy notice: only once the service has refused something without it, so that an operator
// who publishes no notice, and a person who has agreed, notice nothing.
import { withConsent } from "./needed";

class Consent {
  #answer: ((hasAgreed: boolean) => void) | null = $state.raw(null);

  /** Whether the notice is on the screen. */
  get isAsked(): boolean {
    return this.#answer !== null;
  }

  /** Shows the notice; whether the person has agreed. */
  ask = (): Promise<boolean> => {
    this.settle(false);
    return new Promise((resolve) => (this.#answer = resolve));
  };

  settle = (hasAgreed: boolean): void => {
    this.#answer?.(hasAgreed);
    this.#answer = null;
  };

  /** Does something that may need consent. */
  first<T>(act: () => Promise<T>): Promise<T> {
    return withConsent(act, this.ask);
  }
}

export const consent = new Consent();
