// The calls of this device.
import { session } from "$shared/api/session.svelte";
import { Calls } from "$shared/call/calls.svelte";
import { accountCalls } from "$shared/call/transport";

export const calls = new Calls(accountCalls());
session.beforeSignOut(() => calls.leave());
