import type { Routes } from "$shared/router.svelte";

export const routes: Routes = {
  "/": () => import("./home/Home.svelte"),
  "/request": () => import("./request/PlacePage.svelte"),
  "/request/destination": () => import("./request/DestinationPage.svelte"),
  "/request/vehicle": () => import("./request/VehiclePage.svelte"),
  "/request/price": () => import("./request/PricePage.svelte"),
  "/jobs/:id": () => import("./job/JobPage.svelte"),
  "/jobs/:id/pay": () => import("./money/PayPage.svelte"),
  "/jobs/:id/dispute": () => import("./job/DisputePage.svelte"),
  "/history": () => import("./history/HistoryPage.svelte"),
  "/vehicles": () => import("./vehicles/VehiclesPage.svelte"),
  "/vehicles/new": () => import("./vehicles/VehicleEditPage.svelte"),
  "/vehicles/:id": () => import("./vehicles/VehicleEditPage.svelte"),
  "/fees": () => import("./money/FeesPage.svelte"),
  "/notifications": () => import("./account/NotificationsPage.svelte"),
  "/privacy": () => import("./account/PrivacyPage.svelte"),
  "/account": () => import("./account/AccountPage.svelte"),
};
