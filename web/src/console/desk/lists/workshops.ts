// The workshops to which vehicles can be towed.
import { api, type Schemas } from "$shared/api/client";
import { pageOf } from "../../parts/lists";
import { badge, code, link, phone, place, time } from "../list/cells";
import { list } from "../list/list";
import { choice } from "./filters";

type Workshop = Schemas["Workshop"];

export const workshops = list("/admin/workshops", {
  title: "Workshops",
  about: "Customers choose from these where their vehicle is taken; the nearest to it come first.",
  empty: "No workshops yet. Add the first one.",
  filters: [choice("is_active", "State", { true: "On", false: "Off" })],
  id: (row) => row.id,
  columns: [
    { title: "Name", cell: (row) => row.name },
    { title: "Address", cell: (row) => row.address },
    { title: "Phone", cell: (row) => phone(row.phone), extra: true },
    { title: "State", cell: (row) => (row.is_active ? badge("On", "good") : badge("Off", "warn")) },
  ],
  heading: (row) => row.name,
  facts: (row) => [
    ["Address", row.address],
    ["Place", place(row)],
    ["Phone", phone(row.phone)],
    ["Its page", link(`/settings/workshops/${row.id}`, "Change it")],
    ["Added", time(row.created_at)],
    ["Changed", time(row.updated_at)],
    ["Id", code(row.id)],
  ],
  listActions: [{ key: "n", name: "New workshop", kind: "primary", page: () => "/settings/workshops/new" }],
  actions: [
    { key: "e", name: "Change", kind: "primary", page: (row) => `/settings/workshops/${row.id}` },
    switched(false),
    switched(true),
    {
      key: "x",
      name: "Remove",
      kind: "danger",
      form: {
        title: (row) => `Remove ${row.name}`,
        says: () => ["Customers can't choose it any more. Jobs that go there keep its name and address."],
        confirm: "Remove",
        isDanger: true,
        send: (row) => api.DELETE("/admin/workshops/{id}", { params: { path: { id: row.id } } }),
        done: (row) => `${row.name} is removed`,
      },
    },
  ],
});

function switched(on: boolean) {
  return {
    key: "s",
    name: on ? "Switch on" : "Switch off",
    when: (row: Workshop) => row.is_active !== on,
    form: {
      title: (row: Workshop) => `Switch ${row.name} ${on ? "on" : "off"}`,
      says: () => [
        on
          ? "Customers can choose it again."
          : "Customers can't choose it until it is switched on again. Jobs that go there stay as they are.",
      ],
      confirm: on ? "Switch on" : "Switch off",
      send: (row: Workshop) =>
        api.PATCH("/admin/workshops/{id}", { params: { path: { id: row.id } }, body: { is_active: on } }),
      done: (row: Workshop) => `${row.name} is ${on ? "on" : "off"}`,
    },
  };
}

const PAGE = 100;

/** Returns a workshop of the list, or null if it is no longer there. */
export async function workshop(id: string): Promise<Workshop | null> {
  for (let page = 1; ; page += 1) {
    const found = await pageOf(api.GET("/admin/workshops", { params: { query: { page, limit: PAGE } } }));
    const row = found.data.find((one) => one.id === id);
    if (row) return row;
    if (page * found.limit >= found.total) return null;
  }
}
