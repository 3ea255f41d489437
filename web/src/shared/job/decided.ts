// The prices after decisions of disputes, for lists: a job itself does not contain them. Each is requested once.
import { SvelteMap } from "svelte/reactivity";
import { answer, api } from "../api/client";
import { Refusal } from "../api/errors";
import { session } from "../api/session.svelte";
import { hasDecision, type Listed } from "./price";

const prices = new SvelteMap<string, number>();
/** By person and job: another person may read what one person may not. */
const asked = new Set<string>();

/** Returns this job's price after the decision of a dispute, once it is known. */
export const priceAfter = ({ id }: Pick<Listed, "id">): number | null => prices.get(id) ?? null;

/** Requests it if there is a decision. */
export async function askPriceAfter(job: Listed): Promise<void> {
  const question = `${session.userId} ${job.id}`;
  if (!hasDecision(job) || asked.has(question)) return;
  asked.add(question);
  try {
    const { price_after } = await answer(api.GET("/jobs/{id}/dispute", { params: { path: { id: job.id } } }));
    if (price_after !== null) prices.set(job.id, price_after);
  } catch (error) {
    // The next list that shows the job asks again, unless the service would refuse the same question again.
    if (!isFinal(error)) asked.delete(question);
  }
}

/** Reports whether the service refuses the same question each time. */
const isFinal = (error: unknown): boolean =>
  error instanceof Refusal && error.status < 500 && error.status !== 401 && error.status !== 429;
