// The number that a code was sent to, stored on this device until the code is used or has expired. The code itself is
// not stored.
const KEY = `roadcall-code-sent-${import.meta.env.BASE_URL}`;

export interface Sending {
  phone: string;
  /** The number as typed. */
  typed: string;
  /** When another code may be requested. */
  resendAt: number;
  /** When it expires. */
  until: number;
}

export function keepSending(sending: Sending): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(sending));
  } catch {
    // If storage is full or forbidden, it lives as long as the page.
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
