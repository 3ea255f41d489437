// Searches the service for a few letters of an id, a phone number, a name, an address or a plate.
import { answer, api, type Schemas } from "$shared/api/client";
import { cases } from "../parts/desk";
import { pageOf } from "../parts/lists";
import { jobStatus, shortId } from "../parts/words";
import { desks } from "./desks.svelte";
import { choose, type Found } from "./find";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MOST = 6;
/** How many of the newest cases are looked through for their partners. */
const NEWEST = 100;
const isId = (typed: string): boolean => UUID.test(typed.trim());

const queryOf = (q: string) => ({ q: q.slice(0, 100), limit: MOST });

const foundJob = (job: Schemas["JobForAdmin"]): Found => ({
  id: `job ${job.id}`,
  group: "Jobs",
  title: `${job.customer_name ?? "Customer who left"}, ${job.service_category_name}`,
  detail: `${jobStatus(job.status)} · ${job.pickup_address}`,
  path: `/jobs/${job.id}`,
});
const foundMechanic = (mechanic: Schemas["MechanicForAdmin"]): Found => ({
  id: `mechanic ${mechanic.id}`,
  group: "Mechanics",
  title: mechanic.name ?? `Mechanic ${shortId(mechanic.id)}`,
  detail: [mechanic.status, mechanic.phone].filter(Boolean).join(" · "),
  path: `/mechanics/${mechanic.id}`,
});
const foundPerson = (person: Schemas["AdminUser"]): Found => ({
  id: `person ${person.id}`,
  group: "People",
  title: person.name ?? `Person ${shortId(person.id)}`,
  detail: [person.phone, person.email].filter(Boolean).join(" · "),
  path: `/people/${person.id}`,
});

const foundOrganisation = ({ id, name, phone }: Schemas["Organisation"]): Found => ({
  id: `organisation ${id}`,
  group: "Organisations",
  title: name,
  ...(phone === null ? {} : { detail: phone }),
  path: `/organisations/${id}`,
});
const foundPartner = ({ organisation_id, organisation_name }: Schemas["AdminCaseEntry"]): Found => ({
  id: `organisation ${organisation_id}`,
  group: "Partners of the newest cases",
  title: organisation_name,
});

type Search = (q: string, signal: AbortSignal) => Promise<Found[]>;

const jobs: Search = async (q, signal) =>
  (await pageOf(api.GET("/admin/jobs", { params: { query: queryOf(q) }, signal }))).data.map(foundJob);
const mechanics: Search = async (q, signal) =>
  (await pageOf(api.GET("/admin/mechanics", { params: { query: queryOf(q) }, signal }))).data.map(foundMechanic);
const people: Search = async (q, signal) =>
  (await pageOf(api.GET("/admin/users", { params: { query: queryOf(q) }, signal }))).data.map(foundPerson);
/** Only the settings desk may search organisations. Other desks know those of the newest cases. */
const organisations: Search = async (q, signal) => {
  if (desks.has("settings"))
    return (await pageOf(api.GET("/admin/organisations", { params: { query: queryOf(q) }, signal }))).data.map(
      foundOrganisation,
    );
  const { data } = await pageOf(api.GET("/admin/partner-cases", { params: { query: { limit: NEWEST } }, signal }));
  const named = new Map(data.map((entry) => [entry.organisation_id, foundPartner(entry)]));
  return choose([...named.values()], q).slice(0, MOST);
};

/** Finds jobs, people and mechanics by typed text. */
export async function search(typed: string, signal: AbortSignal): Promise<Found[]> {
  const q = typed.trim();
  if (isId(q)) {
    return [
      { id: `job ${q}`, group: "By id", title: `Job ${shortId(q)}`, path: `/jobs/${q}` },
      { id: `person ${q}`, group: "By id", title: `Person ${shortId(q)}`, path: `/people/${q}` },
      { id: `mechanic ${q}`, group: "By id", title: `Mechanic ${shortId(q)}`, path: `/mechanics/${q}` },
    ];
  }
  if (q.length < 2 || !desks.has(...cases)) return [];
  return (await Promise.all([jobs(q, signal), mechanics(q, signal), people(q, signal)])).flat();
}

/** The kinds of objects that filters are chosen by. */
export type Sought = "job" | "person" | "mechanic" | "organisation" | "any";

const finders: Record<Sought, Search> = {
  job: jobs,
  person: people,
  mechanic: mechanics,
  organisation: organisations,
  any: search,
};

/** Finds objects of only one kind. */
export async function searchFor(sought: Sought, typed: string, signal: AbortSignal): Promise<Found[]> {
  const q = typed.trim();
  if (isId(q)) return [{ id: `${sought} ${q}`, group: "By id", title: shortId(q) }];
  return q.length < 2 ? [] : finders[sought](q, signal);
}

/** Returns an organisation by its id; without the settings desk, as its newest case names it. */
async function partner(id: string): Promise<{ title: string }> {
  const ofCase = async () => {
    const query = { organisation_id: id, limit: 1 };
    const { data } = await pageOf(api.GET("/admin/partner-cases", { params: { query } }));
    return data[0] ? foundPartner(data[0]) : { title: shortId(id) };
  };
  if (!desks.has("settings")) return ofCase();
  // A page may ask before the admin's desks are known.
  return answer(api.GET("/admin/organisations/{id}", { params: { path: { id } } })).then(foundOrganisation, ofCase);
}

/** Returns the usual name of the object with an id, or the end of the id if it is unknown. */
export async function titleOf(sought: Sought, id: string): Promise<string> {
  const params = { params: { path: { id } } };
  const asked = {
    job: async () => foundJob(await answer(api.GET("/admin/jobs/{id}", params))),
    person: async () => foundPerson(await answer(api.GET("/admin/users/{id}", params))),
    mechanic: async () => foundMechanic(await answer(api.GET("/admin/mechanics/{id}", params))),
    organisation: () => partner(id),
  };
  if (sought === "any") return shortId(id);
  return asked[sought]().then(
    ({ title }) => title,
    () => shortId(id),
  );
}
