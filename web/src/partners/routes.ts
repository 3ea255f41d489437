import type { Routes } from "$shared/router.svelte";

export const routes: Routes = {
  "/": () => import("./cases/CasesPage.svelte"),
  "/cases/:id": () => import("./cases/CasePage.svelte"),
  "/bills": () => import("./bills/BillsPage.svelte"),
  "/report": () => import("./report/ReportPage.svelte"),
  "/more": () => import("./more/MorePage.svelte"),
  "/keys": () => import("./keys/KeysPage.svelte"),
  "/webhooks": () => import("./webhooks/WebhooksPage.svelte"),
  "/deliveries": () => import("./webhooks/DeliveriesPage.svelte"),
};
