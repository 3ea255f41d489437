import type { Routes } from "$shared/router.svelte";

export const routes: Routes = {
  "/": () => import("./work/WorkPage.svelte"),
  "/job": () => import("./job/JobPage.svelte"),
  "/register": () => import("./register/RegisterPage.svelte"),
  "/jobs": () => import("./jobs/JobsPage.svelte"),
  "/jobs/:id": () => import("./jobs/PastJobPage.svelte"),
  "/wallet": () => import("./wallet/WalletPage.svelte"),
  "/wallet/withdraw": () => import("./wallet/WithdrawPage.svelte"),
  "/wallet/upi": () => import("./wallet/UpiPage.svelte"),
  "/wallet/statement": () => import("./wallet/StatementPage.svelte"),
  "/wallet/settlements": () => import("./wallet/SettlementsPage.svelte"),
  "/wallet/disputes": () => import("./wallet/DisputesPage.svelte"),
  "/you": () => import("./you/YouPage.svelte"),
  "/you/work": () => import("./you/WorkProfilePage.svelte"),
  "/you/documents": () => import("./you/DocumentsPage.svelte"),
  "/you/ratings": () => import("./you/RatingsPage.svelte"),
  "/you/figures": () => import("./you/FiguresPage.svelte"),
  "/you/notifications": () => import("./you/NotificationsPage.svelte"),
  "/you/trackers": () => import("./you/TrackersPage.svelte"),
  "/you/privacy": () => import("./you/PrivacyPage.svelte"),
  "/you/account": () => import("./you/AccountPage.svelte"),
};
