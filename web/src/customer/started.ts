// The first page of the app; main.ts loads this before anything else changes the address.

/** Whether the app was opened at its first page, which then leads once to the job in progress. */
export const started = { atHome: location.pathname.replace(/\/$/, "") === import.meta.env.BASE_URL.replace(/\/$/, "") };
