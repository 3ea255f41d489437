// What the palette finds in the service.
import { api } from "$shared/api/client";
import { cases } from "../parts/desk";
import { pageOf } from "../parts/lists";
import { jobStatus, shortId } from "../parts/words";
import { desks } from "./desks.svelte";
import type { Found } from "./find";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MOST = 6;

/** Jobs, people and mechanics by what was typed: an id, a phone number, a name, an address, a plate. */
export async function search(typed: string, signal: AbortSignal): Promise<Found[]> {
  const q = typed.trim();
  if (UUID.test(q)) {
    return [
      { id: `job ${q}`, group: "By id", title: `Job ${shortId(q)}`, path: `/jobs/${q}` },
      { id: `person ${q}`, group: "By id", title: `Person ${shortId(q)}`, path: `/people/${q}` },
      { id: `mechanic ${q}`, group: "By id", title: `Mechanic ${shortId(q)}`, path: `/mechanics/${q}` },
    ];
  }
  if (q.length < 2 || !desks.has(...cases)) return [];
  const query = { q: q.slice(0, 100), limit: MOST };
  const [jobs, people, mechanics] = await Promise.all([
    pageOf(api.GET("/admin/jobs", { params: { query }, signal })),
    pageOf(api.GET("/admin/users", { params: { query }, signal })),
    pageOf(api.GET("/admin/mechanics", { params: { query }, signal })),
  ]);
  return [
    ...jobs.data.map((job): Found => ({
      id: `job ${job.id}`,
      group: "Jobs",
      title: `${job.customer_name ?? "Customer who left"}, ${job.service_category_name}`,
      detail: `${jobStatus(job.status)} · ${job.pickup_address}`,
      path: `/jobs/${job.id}`,
    })),
    ...mechanics.data.map((mechanic): Found => ({
      id: `mechanic ${mechanic.id}`,
      group: "Mechanics",
      title: mechanic.name ?? `Mechanic ${shortId(mechanic.id)}`,
      detail: [mechanic.status, mechanic.phone].filter(Boolean).join(" · "),
      path: `/mechanics/${mechanic.id}`,
    })),
    ...people.data.map((person): Found => ({
      id: `person ${person.id}`,
      group: "People",
      title: person.name ?? `Person ${shortId(person.id)}`,
      detail: [person.phone, person.email].filter(Boolean).join(" · "),
      path: `/people/${person.id}`,
    })),
  ];
}
