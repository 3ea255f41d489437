// Where the app was started; main.ts loads this before anything else changes the address.

/** The app was opened at its first page, which then leads to the job that is under way, once. */
export const started = { atHome: location.pathname.replace(/\/$/, "") === import.meta.env.BASE_URL.replace(/\/$/, "") };
