// The organisation whose member is signed in, and what they may do.
import { answer, api, type Schemas } from "$shared/api/client";
import { Loaded } from "$shared/api/loaded.svelte";

export const me = new Loaded(() => answer(api.GET("/partner")));

/** Returns whether the service allows the member this; it refuses the rest in any case. */
export const may = (scope: Schemas["KeyScope"]): boolean => me.value?.scopes.includes(scope) ?? false;
