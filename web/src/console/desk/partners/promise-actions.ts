// Extending a promise of arrival to a partner.
import { api } from "$shared/api/client";
import { byId, reason, type Action } from "../actions/action";

/** Returns the action for jobs that `when` lets through. `take` gets the answer. */
export const extendPromise = <J extends { id: string }>(
  when: (job: J) => boolean,
  take?: (answer: unknown) => void,
): Action<J> => ({
  key: "p",
  name: "Extend the promise",
  desk: "dispatch",
  when,
  form: {
    title: () => "Extend the promised time of arrival",
    says: () => ["The partner sees the new time and the reason."],
    fields: [
      { name: "minutes", label: "More minutes", kind: "count", hint: "At most 240" },
      reason("The partner sees it", ["Heavy traffic on the way.", "The first mechanic could not come."]),
    ],
    confirm: "Extend",
    send: ({ id }, { minutes, reason = "" }, headers) =>
      api.POST("/admin/jobs/{id}/extend-promise", {
        params: { ...byId(id).params, header: headers },
        body: { minutes: Number(minutes), reason },
      }),
    ...(take && { answered: take }),
    done: () => "The partner sees the new time",
  },
});
