// Actions that the service refuses until the person has agreed to the privacy notice.
import { Refusal } from "../api/errors";

export function isConsentNeeded(error: unknown): boolean {
  return error instanceof Refusal && error.code === "CONSENT_NEEDED";
}

/**
 * Runs an action; if the service requires the person's consent first, asks them, and runs it again if they agree.
 * Otherwise it fails as before.
 */
export async function withConsent<T>(act: () => Promise<T>, ask: () => Promise<boolean>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isConsentNeeded(error) || !(await ask())) throw error;
    return act();
  }
}
