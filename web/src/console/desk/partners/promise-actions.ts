// Extending a promise of arrival to a partner.
import { partners } from "$shared/partners/api";
import { isExtensible } from "$shared/partners/rules";
import type { PartnerJob } from "$shared/partners/types";
import { reason, type Action } from "../actions/action";

export const extendPromise: Action<PartnerJob> = {
  key: "p",
  name: "Extend the promise",
  desk: "dispatch",
  when: isExtensible,
  form: {
    title: () => "Extend the promised time of arrival",
    says: () => ["The partner sees the new time and the reason."],
    fields: [
      { name: "minutes", label: "Minutes more", kind: "count" },
      reason("The partner sees it", ["Heavy traffic on the way.", "The mechanic before could not come."]),
    ],
    confirm: "Extend",
    send: ({ id }, values) => partners.extendPromise(id, Number(values["minutes"]), values["reason"] ?? ""),
    done: () => "The partner was told the new time",
  },
};
