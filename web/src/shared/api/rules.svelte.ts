// What the service says before anyone signs in, for pages: its rules, and whom to contact.
import { EVERYWHERE } from "../safety/number";
import { config, type Config } from "./config";

const AGAIN_MS = 10_000;

let known = $state.raw<Config | null>(null);
let isAsking = false;

/**
 * The rules that pages explain before the service applies them. Null until it has said them; it refuses what is against
 * them anyway.
 */
export function rules(): Config["rules"] | null {
  return said()?.rules ?? null;
}

/** Null until the service has said it. */
export function support(): Config["support"] | null {
  return said()?.support ?? null;
}

/** Null until the service has said it. */
export function operator(): Config["operator"] | null {
  return said()?.operator ?? null;
}

/** The version of the privacy notice that holds; null where none is published, and until the service has said it. */
export function noticeVersion(): number | null {
  return said()?.privacy_notice_version ?? null;
}

/** Whom to call when people are in danger; there is a number before the service has said its own. */
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
