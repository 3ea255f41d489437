import type { Routes } from "$shared/router.svelte";
import type { PageEntry } from "../pages";

/** Queues, people, figures and settings. */
export const deskRoutes: Routes = {};

export const deskPages: PageEntry[] = [];
