// What can be done with a key and a contract that exist.
import { partners } from "$shared/partners/api";
import type { MadePartnerKey, PartnerContract, PartnerKey } from "$shared/partners/types";
import type { Action } from "../actions/action";
import type { TakeKey } from "./organisation-actions";

const isInUse = ({ revoked_at, replaced_by }: PartnerKey) => revoked_at === null && replaced_by === null;

export const rotateKey = (take: TakeKey): Action<PartnerKey> => ({
  key: "r",
  name: "Rotate",
  when: isInUse,
  form: {
    title: ({ name }) => `Rotate ${name}`,
    says: () => ["A new key replaces this one, which goes on for as long as you say."],
    fields: [
      {
        name: "overlap_hours",
        label: "Hours until the old key ends",
        kind: "count",
        optional: true,
        hint: "At most 168; empty: at once",
      },
    ],
    initial: () => ({ overlap_hours: "24" }),
    confirm: "Rotate",
    // Without hours, the old key ends at once.
    send: ({ id }, { overlap_hours }) => partners.rotateKey(id, Number(overlap_hours ?? 0)),
    done: () => "Key made: copy it now",
    answered: (made) => take(made as MadePartnerKey),
  },
});

export const revokeKey: Action<PartnerKey> = {
  key: "x",
  name: "Revoke",
  kind: "danger",
  when: ({ revoked_at }) => revoked_at === null,
  form: {
    title: ({ name }) => `Revoke ${name}`,
    says: () => ["Every request with this key is refused from now on."],
    confirm: "Revoke",
    isDanger: true,
    send: ({ id }) => partners.revokeKey(id),
    done: () => "Key revoked",
  },
};

export const endContract: Action<PartnerContract> = {
  key: "x",
  name: "End",
  kind: "danger",
  when: ({ ended_at }) => ended_at === null,
  form: {
    title: ({ reference }) => `End the contract ${reference}`,
    says: () => ["No case can refer to it any more. Its open cases go on by its terms."],
    confirm: "End the contract",
    isDanger: true,
    send: ({ id }) => partners.endContract(id),
    done: () => "Contract ended",
  },
};
