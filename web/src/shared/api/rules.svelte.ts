// The settings that pages need before anyone signs in: the service's rules, and its contacts.
import { EVERYWHERE } from "../safety/number";
import { config, type Config } from "./config";

const AGAIN_MS = 10_000;

let known = $state.raw<Config | null>(null);
let isAsking = false;

/**
 * Returns the rules that pages explain before the service applies them. Null until they are loaded; the service
 * enforces them anyway.
 */
export function rules(): Config["rules"] | null {
  return said()?.rules ?? null;
}

/** Returns the contact for support; null until it is loaded. */
export function support(): Config["support"] | null {
  return said()?.support ?? null;
}

/** Returns the operator; null until it is loaded. */
export function operator(): Config["operator"] | null {
  return said()?.operator ?? null;
}

/** Returns the version of the current privacy notice; null if none is published or it is not loaded yet. */
export function noticeVersion(): number | null {
  return said()?.privacy_notice_version ?? null;
}

/** Returns the emergency number; a default applies until the service's number is loaded. */
export function emergency(): string {
  return said()?.support.emergency_phone ?? EVERYWHERE;
}

function said(): Config | null {
  if (known === null && !isAsking) {
    isAsking = true;
    ask();
  }
  return known;
}

function ask(): void {
  config().then(
    (answer) => (known = answer),
    () => setTimeout(ask, AGAIN_MS),
  );
}
