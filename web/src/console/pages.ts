// Every page in the navigation, the palette and the keys.
import type { Schemas } from "$shared/api/client";
import type { Routes } from "$shared/router.svelte";
import { deskPages, deskRoutes } from "./desk";
import { cases, type Desk } from "./parts/desk";

export interface PageEntry {
  path: string;
  title: string;
  /** The key to press after `g`. */
  key: string;
  group: string;
  /** The count of waiting entries there; several are added up. */
  count?: keyof Schemas["Waiting"] | (keyof Schemas["Waiting"])[];
  /** The service refuses the page to admins who are at none of these desks. */
  desks: Desk[];
  /** Set if the page requires all of these desks. */
  needsEach?: true;
  /** The service refuses the page to admins who are not super-admins. */
  isForSuperAdmins?: true;
  /** Additional words that find it in the palette. */
  words?: string;
}

export const pages: PageEntry[] = [
  { path: "/", title: "Live map", key: "m", group: "Dispatch", desks: ["dispatch"], words: "fleet mechanics now" },
  { path: "/jobs", title: "Jobs", key: "j", group: "Dispatch", desks: cases, words: "board list" },
  {
    path: "/jobs/new",
    title: "New job",
    key: "n",
    group: "Dispatch",
    desks: ["dispatch"],
    words: "caller phone create",
  },
  ...deskPages,
];

/** Returns whether an admin at these desks may open the page; null: their desks are not known yet. */
function mayOpen(page: PageEntry, role: string | null, own: Desk[] | null): boolean {
  if (role === "super_admin") return true;
  if (page.isForSuperAdmins) return false;
  if (own === null) return true;
  const isOwn = (desk: Desk) => own.includes(desk);
  return page.needsEach ? page.desks.every(isOwn) : page.desks.some(isOwn);
}

/** Returns the pages that an admin may open. */
export function pagesFor(role: string | null, own: Desk[] | null): PageEntry[] {
  return pages.filter((page) => mayOpen(page, role, own));
}

/** Returns the entry of a path, if it is at another desk. A job is under jobs, unless a page fits exactly. */
export function elsewhere(path: string, role: string | null, own: Desk[] | null): PageEntry | undefined {
  const entry =
    pages.find((page) => page.path === path) ??
    pages.filter((page) => page.path !== "/" && path.startsWith(`${page.path}/`)).at(-1);
  return entry && !mayOpen(entry, role, own) ? entry : undefined;
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
