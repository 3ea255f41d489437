// The calls of this device.
import { Calls } from "$shared/call/calls.svelte";
import { accountCalls } from "$shared/call/transport";

export const calls = new Calls(accountCalls());
