// Queues, people, figures and settings.
import type { Routes } from "$shared/router.svelte";
import type { PageEntry } from "../pages";
import { allDesks, cases, tuning, type Desk } from "../parts/desk";
import { listPage } from "./list/page";

export const deskRoutes: Routes = {
  "/verification": listPage(async () => (await import("./lists/verification")).verification),
  "/verification/:id": () => import("./verification/VerificationPage.svelte"),
  "/mechanic-changes": listPage(async () => (await import("./lists/mechanic-changes")).mechanicChanges),
  "/callbacks": listPage(async () => (await import("./lists/callbacks")).callbacks),
  "/ratings": listPage(async () => (await import("./lists/ratings")).ratings),
  "/disputes": listPage(async () => (await import("./lists/disputes")).disputes),
  "/no-shows": listPage(async () => (await import("./lists/no-shows")).noShows),
  "/tow-reviews": listPage(async () => (await import("./lists/tows")).towReviews),
  "/disputes/:id": () => import("./money/DisputePage.svelte"),
  "/upi": listPage(async () => (await import("./lists/upi")).upi),
  "/withdrawals": listPage(async () => (await import("./lists/withdrawals")).withdrawals),
  "/refunds": listPage(async () => (await import("./lists/refunds")).refunds),
  "/payments": listPage(async () => (await import("./lists/payments")).payments),
  "/chargebacks": listPage(async () => (await import("./lists/chargebacks")).chargebacks),
  "/parked-payments": listPage(async () => (await import("./lists/parked-payments")).parkedPayments),
  "/settlements": listPage(async () => (await import("./lists/settlements")).settlements),
  "/webhook-events": listPage(async () => (await import("./lists/events")).webhookEvents),
  "/failed-pushes": listPage(async () => (await import("./lists/failed-pushes")).failedPushes),
  "/grievances": listPage(async () => (await import("./lists/grievances")).grievances),
  "/grievances/:id": () => import("./people/GrievancePage.svelte"),
  "/people": listPage(async () => (await import("./lists/people")).users),
  "/people/:id": () => import("./people/PersonPage.svelte"),
  "/mechanics": listPage(async () => (await import("./lists/mechanics")).mechanics),
  "/mechanics/:id": () => import("./people/MechanicPage.svelte"),
  "/organisations": listPage(async () => (await import("./lists/organisations")).organisations),
  "/organisations/:id": () => import("./partners/OrganisationPage.svelte"),
  "/organisations/:id/new-contract": () => import("./partners/NewContractPage.svelte"),
  "/partner-cases": listPage(async () => (await import("./lists/partner-cases")).partnerCases),
  "/partner-cases/:id": () => import("./partners/CasePage.svelte"),
  "/partner-bills": listPage(async () => (await import("./lists/partner-bills")).partnerBills),
  "/partner-deliveries": listPage(async () => (await import("./lists/partner-deliveries")).partnerDeliveries),
  "/figures": () => import("./figures/FiguresPage.svelte"),
  "/now": () => import("./figures/NowPage.svelte"),
  "/prices": () => import("./figures/PricesPage.svelte"),
  "/roster": () => import("./figures/RosterPage.svelte"),
  "/heat": () => import("./figures/HeatPage.svelte"),
  "/status": () => import("./servers/StatusPage.svelte"),
  "/servers": () => import("./servers/ServersPage.svelte"),
  "/settings/dispatch": () => import("./settings/DispatchPage.svelte"),
  "/settings/new-jobs": () => import("./settings/NewJobsPage.svelte"),
  "/settings/privacy": () => import("./settings/NoticesPage.svelte"),
  "/settings/simulator": () => import("./settings/SimulatorPage.svelte"),
  "/settings/categories": () => import("./settings/CategoriesPage.svelte"),
  "/settings/categories/:id": () => import("./settings/CategoryPage.svelte"),
  "/settings/workshops": listPage(async () => (await import("./lists/workshops")).workshops),
  "/settings/workshops/:id": () => import("./settings/WorkshopPage.svelte"),
  "/settings/admins": listPage(async () => (await import("./lists/admins")).admins),
  "/settings/invites": listPage(async () => (await import("./lists/invites")).invites),
  "/settings/audit": listPage(async () => (await import("./lists/audit")).audit),
};

type More = Pick<PageEntry, "count" | "words" | "needsEach" | "isForSuperAdmins">;
type Row = [path: string, title: string, key: string, desks: Desk[], more: More];

/** Returns the entries of one group of the navigation. */
const group = (group: string, rows: Row[]): PageEntry[] =>
  rows.map(([path, title, key, desks, more]) => ({ path, title, key, desks, group, ...more }));

export const deskPages: PageEntry[] = [
  ...group("Queues", [
    [
      "/verification",
      "Verification",
      "v",
      ["people"],
      { count: "mechanics", words: "documents mechanics verify reject" },
    ],
    ["/mechanic-changes", "Mechanic changes", "c", ["people"], { count: "mechanic_changes", words: "approve serve" }],
    ["/callbacks", "Callbacks", "b", ["dispatch"], { count: "callbacks", words: "call phone customers" }],
    ["/disputes", "Disputes", "d", ["money"], { count: "disputes", words: "contest resolve" }],
    ["/no-shows", "No-shows", "z", ["money"], { count: "no_shows", words: "arrival override call-out fee" }],
    [
      "/tow-reviews",
      "Tows to look at",
      "T",
      ["money"],
      { count: "tow_reviews", words: "drop-off destination driven distance" },
    ],
    ["/ratings", "Ratings", "t", ["people"], { words: "stars comments hide" }],
  ]),
  ...group("Money", [
    ["/upi", "UPI names", "u", ["money"], { count: "upi_mismatches", words: "bank account mismatch" }],
    ["/refunds", "Refunds", "r", ["money"], { count: ["cash_refunds", "failed_refunds"], words: "cash give back" }],
    ["/parked-payments", "Parked payments", "p", ["money"], { count: "parked_payments" }],
    ["/chargebacks", "Chargebacks", "k", ["money"], { count: "chargebacks", words: "bank" }],
    ["/webhook-events", "Webhook events", "h", ["money"], { count: "dead_webhooks", words: "gateway replay dead" }],
    ["/payments", "Payments", "y", ["money"], { words: "refund" }],
    ["/withdrawals", "Withdrawals", "w", ["money"], { words: "payouts" }],
    ["/settlements", "Settlements", "s", ["money"], { words: "run mark paid" }],
  ]),
  ...group("People", [
    ["/people", "People", "e", cases, { words: "users customers accounts search" }],
    [
      "/grievances",
      "Grievances",
      "g",
      ["people"],
      { count: "grievances", words: "privacy data protection complaints requests answer" },
    ],
    ["/mechanics", "Mechanics", "q", cases, { words: "profiles" }],
  ]),
  ...group("Partners", [
    ["/partner-cases", "Cases", "C", cases, { words: "partners clubs insurers offers references" }],
    ["/organisations", "Organisations", "O", ["settings"], { words: "partners insurers clubs fleets contracts keys" }],
    ["/partner-bills", "Partner bills", "B", ["money"], { words: "payable outcomes contracts" }],
    ["/partner-deliveries", "Deliveries", "D", ["settings"], { words: "partners webhooks events failed replay" }],
  ]),
  ...group("Figures", [
    ["/now", "Live figures", "l", allDesks, { words: "engine sockets" }],
    ["/figures", "Figures", "f", allDesks, { words: "stats sla charts revenue" }],
    ["/prices", "Dispatch prices", "i", tuning, { words: "scarce mechanics hour" }],
    ["/roster", "Roster", "o", tuning, { words: "hire shift hours" }],
    ["/heat", "Heat map", "x", allDesks, { words: "demand minutes arrive" }],
  ]),
  ...group("Settings", [
    ["/settings/new-jobs", "New jobs", "0", tuning, { words: "stop storm outage holiday pause" }],
    ["/settings/dispatch", "Dispatch settings", "1", tuning, { words: "rings offers weights versions" }],
    ["/settings/simulator", "Simulator's advice", "2", tuning, { words: "policy compare replay recording" }],
    ["/settings/categories", "Service categories", "3", ["settings"], { words: "prices kinds of help" }],
    ["/settings/workshops", "Workshops", "9", ["settings"], { words: "garages destinations tow" }],
    ["/settings/privacy", "Privacy notice", "-", ["settings"], { words: "consent data protection dpdp gdpr agree" }],
    ["/settings/admins", "Admins", "4", allDesks, { words: "role second factor", isForSuperAdmins: true }],
    ["/settings/invites", "Invites", "5", allDesks, { words: "new admin", isForSuperAdmins: true }],
    ["/settings/audit", "Audit log", "6", allDesks, { needsEach: true, words: "who did what" }],
    ["/failed-pushes", "Failed pushes", "7", ["settings"], { words: "notifications sms test" }],
    ["/status", "Status", "a", ["settings"], { words: "health disk backup database providers runbook" }],
    ["/servers", "Servers", "8", ["settings"], { words: "cluster nodes leader release nats clock" }],
  ]),
];
