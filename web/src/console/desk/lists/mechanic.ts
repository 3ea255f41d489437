// Columns and facts that the lists of mechanics share.
import type { Schemas } from "$shared/api/client";
import { categories } from "../../parts/categories.svelte";
import { vehicleType } from "../../parts/words";
import { link, person, phone, several, status, time, words } from "../list/cells";
import type { Column, Fact, RowOf } from "../list/list";

type Row = RowOf<"/admin/mechanics">;

export const vehicles = (served: Schemas["VehicleType"][]) => served.map((type) => vehicleType[type]);

export const mechanicColumns: Column<Row>[] = [
  { title: "Name", cell: (row) => row.verified_name ?? row.name ?? "No name" },
  { title: "Phone", cell: (row) => phone(row.phone) },
  { title: "Serves", cell: (row) => several(categories.each(row.service_category_ids), 2) },
  { title: "Vehicles", cell: (row) => several(vehicles(row.vehicle_types), 1), extra: true },
];

export const mechanicFacts = (row: Row): Fact[] => [
  ["Phone", phone(row.phone)],
  ["Name in use", row.name],
  ["Verified name", row.verified_name],
  ["Status", [status(row.status), row.account_status === "active" ? null : status(row.account_status)]],
  ["Rejected because", words(row.rejection_reason)],
  ["Suspended because", words(row.suspension_reason)],
  ["Serves", categories.names(row.service_category_ids)],
  ["Vehicles", vehicles(row.vehicle_types).join(", ")],
  ["Radius", `${row.service_radius_km} km`],
  ["Rating", row.total_ratings > 0 ? `${row.avg_rating.toFixed(2)} from ${row.total_ratings}` : "None yet"],
  ["Jobs", row.total_jobs],
  ["Wants jobs", row.is_available ? "Yes" : "No"],
  ["Change waits", row.has_pending_change ? link("/mechanic-changes", "See it") : null],
  ["Account", person(row.user_id, row.name)],
  ["Registered", time(row.created_at)],
];
