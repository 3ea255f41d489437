// Every page that the navigation, the palette and the keys know.
import type { Schemas } from "$shared/api/client";
import type { Routes } from "$shared/router.svelte";
import { deskPages, deskRoutes } from "./desk";

export interface PageEntry {
  path: string;
  title: string;
  /** Pressed after `g`. */
  key: string;
  group: string;
  /** What waits there for somebody; several are added up. */
  count?: keyof Schemas["Waiting"] | (keyof Schemas["Waiting"])[];
  /** The service refuses it to admins who are no super admins. */
  isForSuperAdmins?: true;
  /** More words that find it in the palette. */
  words?: string;
}

export const pages: PageEntry[] = [
  { path: "/", title: "Live map", key: "m", group: "Dispatch", words: "fleet mechanics now" },
  { path: "/jobs", title: "Jobs", key: "j", group: "Dispatch", words: "board list" },
  { path: "/jobs/new", title: "New job", key: "n", group: "Dispatch", words: "caller phone create" },
  ...deskPages,
];

/** The pages that an admin may open. */
export function pagesFor(role: string | null): PageEntry[] {
  return pages.filter((page) => !page.isForSuperAdmins || role === "super_admin");
}

export const routes: Routes = {
  "/": () => import("./live/LivePage.svelte"),
  "/jobs": () => import("./jobs/JobsPage.svelte"),
  "/jobs/new": () => import("./jobs/new/NewJobPage.svelte"),
  "/jobs/:id": () => import("./jobs/job/JobPage.svelte"),
  "/account": () => import("./shell/AccountPage.svelte"),
  ...deskRoutes,
};

export function waitingAt(entry: PageEntry, waiting: Schemas["Waiting"] | undefined): number {
  if (!waiting || !entry.count) return 0;
  return [entry.count].flat().reduce((sum, name) => sum + (waiting[name] ?? 0), 0);
}
