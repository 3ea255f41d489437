// The token of an invitation, which the service shows once.
import type { Schemas } from "$shared/api/client";

export const invited: { last: Schemas["NewlyInvited"] | null } = $state({ last: null });

export function showToken(invite: Schemas["NewlyInvited"]): void {
  invited.last = invite;
}
