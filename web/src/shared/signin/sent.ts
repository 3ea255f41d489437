// The number that a code was sent to, kept on this device until the code is used or no longer valid. The code itself is
// not.
const KEY = `roadcall-code-sent-${import.meta.env.BASE_URL}`;

export interface Sending {
  phone: string;
  /** The number as it was typed. */
  typed: string;
  /** When the code may be asked for again. */
  resendAt: number;
  /** When it is no longer valid. */
  until: number;
}

export function keepSending(sending: Sending): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(sending));
  } catch {
    // A full or forbidden storage: it lives as long as the page.
  }
}

export function keptSending(): Sending | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Sending | null;
    return kept !== null && Date.now() < kept.until ? kept : null;
  } catch {
    return null;
  }
}

export function forgetSending(): void {
  localStorage.removeItem(KEY);
}
