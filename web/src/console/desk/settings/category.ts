// A service category in the format of its form.
import type { Schemas } from "$shared/api/client";

export type Override =
  | "offer_ttl_s"
  | "attempt_ttl_s"
  | "rings_km"
  | "round_widths"
  | "max_rounds"
  | "urgent_first_round"
  | "in_time_s"
  | "worth_s";

/** The dispatch settings that a category may override. */
export const overrides: { name: Override; unit: string; isList?: true; says: string }[] = [
  { name: "offer_ttl_s", unit: "seconds", says: "How long a mechanic may think about an offer." },
  { name: "attempt_ttl_s", unit: "seconds", says: "How long the search lasts." },
  { name: "rings_km", unit: "km", isList: true, says: "Rings around the pickup, such as 5, 10, 30." },
  { name: "round_widths", unit: "offers", isList: true, says: "Simultaneous offers in round 1, 2, …" },
  { name: "max_rounds", unit: "rounds", says: "Rounds of offers, after which a search ends." },
  { name: "urgent_first_round", unit: "rounds", says: "Where accidents and highway jobs begin." },
  { name: "in_time_s", unit: "seconds", says: "How soon after the call a mechanic arrives in time." },
  { name: "worth_s", unit: "seconds", says: "What serving a job in time is worth." },
];

type Plain =
  | "name"
  | "slug"
  | "description"
  | "icon_url"
  | "base_price"
  | "per_km_price"
  | "free_km"
  | "estimated_duration_min"
  | "destination_per_km_price"
  | "destination_free_km"
  | "sort_order";
const numbers: Plain[] = [
  "base_price",
  "per_km_price",
  "free_km",
  "destination_per_km_price",
  "destination_free_km",
  "estimated_duration_min",
  "sort_order",
];
/** The numbers that may be left empty. */
const ZERO: Plain[] = ["free_km", "destination_per_km_price", "destination_free_km", "sort_order"];

export const destinations: Record<Schemas["ServiceCategory"]["destination"], string> = {
  none: "Nowhere: the work is done on the spot",
  optional: "Somewhere, if the customer says where",
  required: "Always somewhere: customers must say where",
};

export type CategoryFields = Record<Plain | Override, string> & {
  vehicle_types: Schemas["VehicleType"][];
  destination: Schemas["ServiceCategory"]["destination"];
  is_active: boolean;
};

export function toFields(category: Schemas["ServiceCategory"] | null): CategoryFields {
  const text = (value: string | number | number[] | null | undefined) =>
    value === null || value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value);
  const plain: Plain[] = ["name", "slug", "description", "icon_url", ...numbers];
  return {
    ...(Object.fromEntries(plain.map((name) => [name, text(category?.[name])])) as Record<Plain, string>),
    ...(Object.fromEntries(overrides.map(({ name }) => [name, text(category?.[name])])) as Record<Override, string>),
    vehicle_types: [...(category?.vehicle_types ?? [])],
    destination: category?.destination ?? "none",
    is_active: category?.is_active ?? true,
  };
}

/**
 * Returns the body of a request, and its faults. An empty override is null: the service's setting applies.
 */
export function fromFields(fields: CategoryFields): {
  body: Schemas["NewCategory"] | null;
  wrong: Record<string, string>;
} {
  const wrong: Record<string, string> = {};
  const body: Record<string, unknown> = {
    name: fields.name.trim(),
    slug: fields.slug.trim(),
    description: fields.description.trim(),
    icon_url: fields.icon_url.trim() || null,
    vehicle_types: fields.vehicle_types,
    destination: fields.destination,
    is_active: fields.is_active,
  };
  if (body["name"] === "") wrong["name"] = "Give it a name.";
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(fields.slug.trim()))
    wrong["slug"] = "Small letters, digits and single hyphens, such as flat-tyre.";
  if (fields.vehicle_types.length === 0) wrong["vehicle_types"] = "Choose at least one.";
  for (const name of numbers) {
    const number = Number(fields[name] === "" ? Number.NaN : fields[name]);
    if (ZERO.includes(name) && fields[name] === "") body[name] = 0;
    else if (Number.isNaN(number)) wrong[name] = "A number.";
    else body[name] = number;
  }
  for (const { name, isList } of overrides) {
    const parts = fields[name]
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(Number);
    if (parts.some(Number.isNaN)) wrong[name] = isList ? "Numbers with commas between them." : "A number.";
    else if (isList) body[name] = parts.length === 0 ? null : parts;
    else body[name] = parts[0] ?? null;
  }
  return { body: Object.keys(wrong).length > 0 ? null : (body as unknown as Schemas["NewCategory"]), wrong };
}

/** Derives a slug from a name, as long as nobody has typed one. */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
}
