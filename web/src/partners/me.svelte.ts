// The organisation whose member is signed in, and what they may do.
import { answer } from "$shared/api/client";
import { Loaded } from "$shared/api/loaded.svelte";
import { own } from "$shared/partners/api";
import type { PartnerScope } from "$shared/partners/types";

export const me = new Loaded(() => answer(own.organisation()));

/** Returns whether the service allows the member this; it refuses the rest in any case. */
export const may = (scope: PartnerScope): boolean => me.value?.scopes.includes(scope) ?? false;
