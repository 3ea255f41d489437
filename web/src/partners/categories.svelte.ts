// The names of the kinds of help, which cases and jobs name by their slugs.
import { answer, api } from "$shared/api/client";
import { Loaded } from "$shared/api/loaded.svelte";
import { categoryName } from "$shared/text/names";

export const categories = new Loaded(async () => (await answer(api.GET("/service-categories"))).data);

/** Returns the slug itself until the operator's names are known. */
export const helpName = (slug: string): string =>
  categoryName(slug, categories.value?.find((category) => category.slug === slug)?.name ?? slug);
