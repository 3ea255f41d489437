// The answers and bodies of the interface that are about partners: organisations, contracts, cases, bills, deliveries.
// Amounts are in rupees, times are timestamps.
import type { Schemas } from "../api/client";

type Money = Schemas["Money"];
type JobStatus = Schemas["JobStatus"];

export type OrganisationKind = "insurer" | "club" | "manufacturer" | "lessor" | "fleet" | "agency" | "other";
export type MemberRole = "manager" | "dispatcher" | "viewer";
export type PartnerScope = "read" | "cases" | "approvals" | "webhooks" | "keys" | "offers";

export interface Organisation {
  id: string;
  account_id: string;
  name: string;
  kind: OrganisationKind;
  phone: string | null;
  email: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
}
export interface NewOrganisation {
  name: string;
  kind: OrganisationKind;
  phone?: string;
  email?: string;
}

export interface OrganisationMember {
  id: string;
  user_id: string;
  name: string | null;
  phone: string | null;
  role: MemberRole;
  created_at: string;
}
export interface NewMember {
  phone: string;
  name: string;
  role: MemberRole;
}

export interface PartnerKey {
  id: string;
  /** The part of the key that names it, such as `rck_live_8f3k2m9q4x7z`. */
  handle: string;
  name: string;
  scopes: PartnerScope[];
  requests_per_minute: number;
  acts_for: string[];
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  replaced_by: string | null;
}
export interface NewPartnerKey {
  name: string;
  scopes: PartnerScope[];
  expires_in_days: number;
  requests_per_minute?: number;
  acts_for?: string[];
}
/** A key with its secret, which is answered once. */
export interface MadePartnerKey extends PartnerKey {
  key: string;
}

export type PercentOutcome =
  "gone_on_arrival" | "unsuccessful" | "destination_refused" | "cancelled" | "promise_missed";
export type Shares = Record<`${PercentOutcome}_bps`, number>;
export interface PartnerTerms extends Shares {
  service_category_id: string;
  pricing: "quoted" | "agreed";
  call_out: Money | null;
  included_km: number | null;
  per_km: Money | null;
  photos_required: number;
  free_cancellation_minutes: number;
}
export type PartnerText = "link" | "eta" | "arrival" | "rating";
export interface NewPartnerContract {
  reference: string;
  valid_from: string;
  valid_until: string | null;
  cover: Money | null;
  cover_km: number | null;
  accepts_promises: boolean;
  approval_minutes: number;
  approval_default: "approve" | "reject";
  shows_prices: boolean;
  requires_purchase_order: boolean;
  texts: PartnerText[];
  terms: PartnerTerms[];
}
export interface PartnerContract extends NewPartnerContract {
  id: string;
  created_at: string;
  ended_at: string | null;
}

export type CaseStatus = "offered" | "refused" | "expired" | "withdrawn" | "open" | "closed";
export type PromiseState = "none" | "proposed" | "accepted" | "refused";
export interface PartnerPromise {
  state: PromiseState;
  at: string | null;
  extended: { at: string; reason: string } | null;
  missed: boolean;
}
export interface PartnerPlace {
  address: string;
  lat: number;
  lng: number;
}
export type BillOutcome =
  | "completed"
  | "gone_on_arrival"
  | "unsuccessful"
  | "destination_refused"
  | "cancelled_by_partner"
  | "cancelled_by_us"
  | "promise_missed"
  | "no_mechanic";

export type PartnerLocation = Schemas["JobLocation"];

/** Extra work that waits for the partner, with its evidence. */
export interface PartnerApproval {
  item: Schemas["LineItem"];
  due_at: string;
  decided_at: string | null;
}
export interface PartnerJob {
  id: string;
  case_id: string;
  status: JobStatus;
  category: { slug: string; name: string };
  pickup: PartnerPlace;
  destination: PartnerPlace | null;
  mechanic: { first_name: string } | null;
  promise: PartnerPromise;
  eta_s: number | null;
  price: Money | null;
  payable: Money | null;
  outcome: BillOutcome | null;
  created_at: string;
  accepted_at: string | null;
  arrived_at: string | null;
  completed_at: string | null;
  cancelled_at: string | null;
  link: string | null;
  approvals: PartnerApproval[];
}

export interface PartnerVehicle {
  registration_number: string;
  make: string;
  model: string;
  type: Schemas["VehicleType"];
  color: string | null;
  vin: string | null;
  odometer_km: number | null;
  fuel: string | null;
  drive: string | null;
  weight_kg: number | null;
}
export interface Contact {
  name: string;
  phone: string;
}
export interface CasePlace {
  location_type: "garage" | "basement" | "roadside" | "highway" | "home" | "other";
  clearance_cm: number | null;
  keys_at: string | null;
  is_attended: boolean | null;
  pickup_contact: Contact | null;
  dropoff_contact: Contact | null;
}
export interface PartnerCase {
  id: string;
  partner_reference: string;
  status: CaseStatus;
  contract_reference: string;
  policy_reference: string | null;
  purchase_order: string | null;
  beneficiary: { name: string | null; phone?: string | null };
  vehicle: PartnerVehicle | null;
  jobs: PartnerJob[];
  last_seq: number;
  created_at: string;
  notes_for_mechanic: string | null;
  internal_notes: string | null;
}
/** What a club asks for in an offer. */
export interface OfferedJob {
  service_category_slug: string;
  pickup_address: string;
  pickup_lat: number;
  pickup_lng: number;
  destination: PartnerPlace | null;
  description: string | null;
}
export interface PartnerCaseForAdmin extends PartnerCase {
  organisation: { id: string; name: string; phone: string | null };
  place: CasePlace;
  answers: Record<string, unknown>;
  offer: OfferedJob | null;
  /** Until when the offer can be answered. */
  offered_until: string | null;
  /** When a dispatcher asked the club for a call. */
  call_asked_at: string | null;
}
export interface PartnerEvent {
  id: string;
  seq: number;
  type: string;
  timestamp: string;
  job_id: string | null;
  data: Record<string, unknown>;
}

export interface PartnerBill {
  job_id: string;
  case_id: string;
  organisation_id: string;
  organisation_name: string;
  partner_reference: string;
  contract_reference: string;
  outcome: BillOutcome;
  price: Money;
  payable: Money;
  driver: Money;
  decided_at: string;
}

export interface PartnerDelivery {
  id: string;
  organisation_id: string;
  organisation_name: string;
  subscription_id: string;
  url: string;
  event_id: string;
  event_type: string;
  case_id: string;
  seq: number;
  status: "pending" | "delivered" | "dead";
  tries: number;
  next_try_at: string | null;
  answer_status: number | null;
  failure: string | null;
  created_at: string;
  settled_at: string | null;
}
export interface PartnerSubscription {
  id: string;
  url: string;
  events: string[];
  eta_below_min: number | null;
  within_m: number | null;
  positions_every_s: number | null;
  status: "unverified" | "active" | "paused" | "deleted";
  verified_at: string | null;
  created_at: string;
}
export interface NewSubscription {
  url: string;
  events: string[];
  eta_below_min?: number;
  within_m?: number;
  positions_every_s?: number;
}
/** A subscription with its secret, which is answered once. */
export interface MadeSubscription extends PartnerSubscription {
  secret: string;
}

/** The organisation for which a member or a key acts. */
export interface OwnOrganisation {
  organisation: { id: string; name: string; kind: OrganisationKind };
  environment: "live" | "sandbox";
  scopes: PartnerScope[];
  role: MemberRole | null;
}
export interface PartnerReport {
  from: string;
  to: string;
  cases: number;
  jobs: number;
  accepted_percent: number | null;
  promises_kept_percent: number | null;
  completed_percent: number | null;
  to_accept_s: number | null;
  to_arrive_s: number | null;
  on_site_s: number | null;
  average_rating: number | null;
  ratings: number;
}

export interface Listed<T> {
  data: T[];
  page: number;
  limit: number;
  total: number;
}
/** The rows of the console's lists of partners, by the route that answers with them. */
export interface PartnerLists {
  "/admin/organisations": Organisation;
  "/admin/partner-cases": PartnerCaseForAdmin;
  "/admin/partner-bills": PartnerBill;
  "/admin/partner-deliveries": PartnerDelivery;
}
