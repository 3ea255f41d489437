// Pages for declared lists.
import type { Component } from "svelte";
import type { Load } from "$shared/router.svelte";
import type { List } from "./list";

/** Loads the list's declaration at the first visit of its page. */
export function listPage<R>(declaration: () => Promise<List<R>>): Load {
  let made: Promise<{ default: Component }> | null = null;
  const make = async () => {
    const [{ default: ListPage }, list] = await Promise.all([import("./ListPage.svelte"), declaration()]);
    const page: Component = (internals) => ListPage(internals, { list } as never);
    return { default: page };
  };
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}
