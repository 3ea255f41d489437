// Sends a request for help that has no answer yet.
import { api, Intention, type Schemas } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import type { Entry, Kind } from "$shared/outbox/outbox";
import { router } from "$shared/router.svelte";
import { draft } from "./draft.svelte";

export const REQUEST = "request";
export const PRICE = "/request/price";

export const kinds: Readonly<Record<typeof REQUEST, Kind>> = {
  [REQUEST]: {
    // After this time they may have found help, or be somewhere else.
    sendsForMs: 5 * 60_000,
    // If the service says when to try again, the person decides whether to wait.
    isPatient: (error) => !(error instanceof Refusal && error.retryAfterS !== null),
    async send(entry: Entry, _, signal) {
      const job = await new Intention(entry.id).carryOut((header) => {
        // The customer may have dropped it between two tries.
        signal.throwIfAborted();
        return api.POST("/jobs", { params: { header }, body: entry.body as Schemas["NewJob"] });
      });
      // The page of the price leads on to the job. A person who has moved on to another page stays there.
      if (location.pathname === router.href(PRICE)) router.go(`/jobs/${job.id}`, { replace: true });
      if (draft.now.key === entry.id) draft.clear();
      return job;
    },
  },
};
