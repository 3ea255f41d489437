// Every request of the interface about partners. A function returns what `answer` and `Intention` take:
// `await answer(partners.organisation(id))`.
import { api } from "../api/client";
import type * as T from "./types";

type Answered<B> = Promise<{ data?: B; error?: unknown; response: Response }>;
type Send = (path: string, init: object) => Answered<never>;
// These routes are not among the generated types yet.
const { GET, POST, PATCH, DELETE } = api as unknown as Record<"GET" | "POST" | "PATCH" | "DELETE", Send>;

/** Asks about the object with an id, or creates or changes what belongs to it. */
const at = (id: string, body?: object) => ({ params: { path: { id } }, ...(body && { body }) });
const asked = (query: object) => ({ params: { query } });
type Query = Record<string, string | number | undefined>;

/** The requests of admins. */
export const partners = {
  createOrganisation: (body: T.NewOrganisation): Answered<T.Organisation> => POST("/admin/organisations", { body }),
  organisation: (id: string): Answered<T.Organisation> => GET("/admin/organisations/{id}", at(id)),
  changeOrganisation: (id: string, body: Partial<T.NewOrganisation & Pick<T.Organisation, "status">>) =>
    PATCH("/admin/organisations/{id}", at(id, body)) as Answered<T.Organisation>,
  members: (id: string): Answered<{ data: T.OrganisationMember[] }> => GET("/admin/organisations/{id}/members", at(id)),
  addMember: (id: string, body: T.NewMember): Answered<T.OrganisationMember> =>
    POST("/admin/organisations/{id}/members", at(id, body)),
  removeMember: (id: string): Answered<null> => DELETE("/admin/organisation-members/{id}", at(id)),
  keys: (id: string): Answered<{ data: T.PartnerKey[] }> => GET("/admin/organisations/{id}/keys", at(id)),
  createKey: (id: string, body: T.NewPartnerKey): Answered<T.MadePartnerKey> =>
    POST("/admin/organisations/{id}/keys", at(id, body)),
  rotateKey: (id: string, overlap_hours: number): Answered<T.MadePartnerKey> =>
    POST("/admin/partner-keys/{id}/rotate", at(id, { overlap_hours })),
  revokeKey: (id: string): Answered<null> => DELETE("/admin/partner-keys/{id}", at(id)),
  contracts: (id: string): Answered<{ data: T.PartnerContract[] }> =>
    GET("/admin/organisations/{id}/contracts", at(id)),
  createContract: (id: string, body: T.NewPartnerContract): Answered<T.PartnerContract> =>
    POST("/admin/organisations/{id}/contracts", at(id, body)),
  endContract: (id: string): Answered<T.PartnerContract> => POST("/admin/partner-contracts/{id}/end", at(id)),
  cases: (query: Query): Answered<T.Listed<T.PartnerCaseForAdmin>> => GET("/admin/partner-cases", asked(query)),
  case: (id: string): Answered<T.PartnerCaseForAdmin & { events: T.PartnerEvent[] }> =>
    GET("/admin/partner-cases/{id}", at(id)),
  acceptOffer: (id: string, eta_min: number): Answered<T.PartnerCaseForAdmin> =>
    POST("/admin/partner-cases/{id}/accept", at(id, { eta_min })),
  refuseOffer: (id: string, reason: string): Answered<T.PartnerCaseForAdmin> =>
    POST("/admin/partner-cases/{id}/refuse", at(id, { reason })),
  askForCall: (id: string): Answered<T.PartnerCaseForAdmin> => POST("/admin/partner-cases/{id}/ask-for-call", at(id)),
  extendPromise: (jobId: string, minutes: number, reason: string): Answered<T.PartnerJob> =>
    POST("/admin/jobs/{id}/extend-promise", at(jobId, { minutes, reason })),
};

/** The requests of an organisation's members. */
export const own = {
  organisation: (): Answered<T.OwnOrganisation> => GET("/partner", {}),
  cases: (query: Query): Answered<T.Listed<T.PartnerCase>> => GET("/partner/cases", asked(query)),
  case: (id: string): Answered<T.PartnerCase> => GET("/partner/cases/{id}", at(id)),
  closeCase: (id: string): Answered<T.PartnerCase> => POST("/partner/cases/{id}/close", at(id)),
  location: (id: string): Answered<T.PartnerLocation> => GET("/partner/jobs/{id}/location", at(id)),
  cancel: (id: string, reason: string): Answered<T.PartnerJob> => POST("/partner/jobs/{id}/cancel", at(id, { reason })),
  acceptPromise: (id: string): Answered<T.PartnerJob> => POST("/partner/jobs/{id}/promise/accept", at(id)),
  refusePromise: (id: string, reason: string): Answered<T.PartnerJob> =>
    POST("/partner/jobs/{id}/promise/refuse", at(id, { reason })),
  decide: (decision: "approve" | "reject", { id: item_id, job_id: id, version, total }: T.PartnerApproval["item"]) =>
    POST(`/partner/jobs/{id}/line-items/{item_id}/${decision}`, {
      params: { path: { id, item_id } },
      body: { version, quoted_total: total },
    }) as Answered<T.PartnerApproval["item"]>,
  bills: (query: Query): Answered<T.Listed<T.PartnerBill>> => GET("/partner/bills", asked(query)),
  billsAsCsv: (query: Query): Answered<Blob> =>
    GET("/partner/bills", { ...asked({ ...query, format: "csv" }), parseAs: "blob" }),
  report: (query: Query): Answered<T.PartnerReport> => GET("/partner/report", asked(query)),
  keys: (): Answered<{ data: T.PartnerKey[] }> => GET("/partner/keys", {}),
  createKey: (body: T.NewPartnerKey): Answered<T.MadePartnerKey> => POST("/partner/keys", { body }),
  rotateKey: (id: string, overlap_hours: number): Answered<T.MadePartnerKey> =>
    POST("/partner/keys/{id}/rotate", at(id, { overlap_hours })),
  revokeKey: (id: string): Answered<null> => DELETE("/partner/keys/{id}", at(id)),
  subscriptions: (): Answered<{ data: T.PartnerSubscription[] }> => GET("/partner/subscriptions", {}),
  createSubscription: (body: T.NewSubscription): Answered<T.MadeSubscription> =>
    POST("/partner/subscriptions", { body }),
  changeSubscription: (id: string, body: { status: "active" | "paused" }): Answered<T.PartnerSubscription> =>
    PATCH("/partner/subscriptions/{id}", at(id, body)),
  removeSubscription: (id: string): Answered<null> => DELETE("/partner/subscriptions/{id}", at(id)),
  verifySubscription: (id: string): Answered<T.PartnerSubscription> =>
    POST("/partner/subscriptions/{id}/verify", at(id)),
  testSubscription: (id: string): Answered<unknown> => POST("/partner/subscriptions/{id}/test", at(id)),
  rotateSecret: (id: string): Answered<T.MadeSubscription> => POST("/partner/subscriptions/{id}/rotate-secret", at(id)),
  deliveries: (query: Query): Answered<T.Listed<T.PartnerDelivery>> => GET("/partner/deliveries", asked(query)),
  replay: (since: string): Answered<{ replayed: number }> => POST("/partner/deliveries/replay", { body: { since } }),
};
