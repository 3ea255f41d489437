// The order in which profiles are reviewed: the longest wait comes first.
import type { Schemas } from "$shared/api/client";
import { rows } from "../list/rows";

type Profile = Pick<Schemas["MechanicForAdmin"], "id" | "created_at">;

const AT_ONCE = 100;

/** Returns the profile after `current`, by the time of registration; the first one follows the last one. */
export function following<P extends Profile>(waiting: P[], current: Profile): P | null {
  const others = waiting
    .filter((profile) => profile.id !== current.id)
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
  return others.find((profile) => profile.created_at > current.created_at) ?? others[0] ?? null;
}

export async function nextProfile(current: Profile): Promise<Schemas["MechanicForAdmin"] | null> {
  const ask = (page: number) => rows("/admin/mechanics", { status: "pending_verification", limit: AT_ONCE, page });
  let found = await ask(1);
  // The newest come first, so the profiles that have waited longest are on the last page.
  if (found.total > AT_ONCE) found = await ask(Math.ceil(found.total / AT_ONCE));
  return following(found.data, current);
}
