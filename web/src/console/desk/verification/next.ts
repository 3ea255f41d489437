// The order in which profiles are looked at: who waits longest comes first.
import type { Schemas } from "$shared/api/client";
import { rows } from "../list/rows";

type Profile = Pick<Schemas["MechanicForAdmin"], "id" | "created_at">;

const AT_ONCE = 100;

/** The profile after `current`, by the time of registration; from the beginning again after the last one. */
export function following<P extends Profile>(waiting: P[], current: Profile): P | null {
  const others = waiting
    .filter((profile) => profile.id !== current.id)
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
  return others.find((profile) => profile.created_at > current.created_at) ?? others[0] ?? null;
}

export async function nextProfile(current: Profile): Promise<Schemas["MechanicForAdmin"] | null> {
  const ask = (page: number) => rows("/admin/mechanics", { status: "pending_verification", limit: AT_ONCE, page });
  let found = await ask(1);
  // The newest come first: those who wait longest are on the last page.
  if (found.total > AT_ONCE) found = await ask(Math.ceil(found.total / AT_ONCE));
  return following(found.data, current);
}
