// The prices after decisions of disputes, for lists: a job itself does not contain them. Each is requested once.
import { SvelteMap } from "svelte/reactivity";
import { answer, api } from "../api/client";
import { hasDecision, type Listed } from "./price";

const prices = new SvelteMap<string, number>();
const asked = new Set<string>();

/** What a decision left of the price of this job, once it is known. */
export const priceAfter = ({ id }: Pick<Listed, "id">): number | null => prices.get(id) ?? null;

/** Asks for it if there is a decision. */
export async function askPriceAfter(job: Listed): Promise<void> {
  if (!hasDecision(job) || asked.has(job.id)) return;
  asked.add(job.id);
  try {
    const { price_after } = await answer(api.GET("/jobs/{id}/dispute", { params: { path: { id: job.id } } }));
    if (price_after !== null) prices.set(job.id, price_after);
  } catch {
    // The next list that shows it asks again.
    asked.delete(job.id);
  }
}
