// An action on an object: a link, or a form whose answers go to the service.
import type { Desk } from "../../parts/desk";

export interface FormField {
  /** The route's name for the field, so that a refusal finds it. */
  name: string;
  label: string;
  /** `several` holds some of the options, as `a,b`. */
  kind: "text" | "long" | "choice" | "several" | "amount" | "count" | "date" | "email";
  optional?: boolean;
  hint?: string;
  options?: [value: string, label: string][];
  /** Texts to begin with: a press inserts one. */
  templates?: string[];
  least?: number;
  most?: number;
  /** Shown only with these answers. */
  when?: (values: Values) => boolean;
}

/** Returns the field of a reason. */
export const reason = (hint: string, templates: string[]): FormField => ({
  name: "reason",
  label: "Reason",
  kind: "long",
  least: 3,
  most: 500,
  hint,
  templates,
});

/** Returns the field of a note that explains a decision. */
export const note = (hint: string, templates?: string[]): FormField => ({
  name: "note",
  label: "Why",
  kind: "long",
  most: 2000,
  hint,
  templates,
});

/** Returns the field of the reference of a payment that was made by hand. */
export const reference = (hint: string): FormField => ({
  name: "reference",
  label: "Reference",
  kind: "text",
  most: 100,
  hint,
});

export type Values = Record<string, string>;

/** Returns the parameters of a route about one object. */
export const byId = (id: string) => ({ params: { path: { id } } });

export interface Form<T> {
  title: (object: T) => string;
  /** Says in plain words what will happen. */
  says: (object: T, values: Values) => string[];
  fields?: FormField[];
  /** Returns the initial values of the fields. */
  initial?: (object: T) => Values;
  /** The label of the button that carries it out. */
  confirm: string;
  isDanger?: boolean;
  send: (
    object: T,
    values: Values,
    headers: { "Idempotency-Key": string },
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  done: (object: T, answer?: unknown) => string;
  /** Reports whether the answer shows a failure after all. */
  hasFailed?: (answer: unknown) => boolean;
  /** Takes the service's answer, such as a token that is shown once. */
  answered?: (answer: unknown) => void;
  /** Called when the form goes before it was sent: somebody has closed it, or the page no longer shows the object. */
  left?: (object: T) => void;
}

export interface Action<T> {
  /** The key that starts it. */
  key: string;
  name: string;
  kind?: "primary" | "danger";
  /** The desk of the action; without it, any desk that shows the page. */
  desk?: Desk;
  when?: (object: T) => boolean;
  page?: (object: T) => string;
  form?: Form<T>;
  /** Returns the texts for several objects: with it, the form can be sent for all of them at once. */
  many?: (objects: T[]) => { title: string; says: string[] };
}

/** Returns the values to send, without empty ones. */
export function given(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
}

const empty: Partial<Record<FormField["kind"], string>> = { choice: "Choose one.", several: "Choose at least one." };

/** Returns the faults of the answers before anything is sent. */
export function missing(fields: FormField[], values: Values): Record<string, string> {
  const wrong: Record<string, string> = {};
  for (const field of fields) {
    if (field.when && !field.when(values)) continue;
    const value = (values[field.name] ?? "").trim();
    if (value === "") {
      if (!field.optional) wrong[field.name] = empty[field.kind] ?? "Fill this in.";
    } else if (field.kind === "amount" && !(Number(value) > 0))
      wrong[field.name] = "An amount above zero, such as 249.50.";
    else if (field.kind === "amount" && Math.round(Number(value) * 100) / 100 !== Number(value))
      wrong[field.name] = "At most two digits after the point.";
    else if (field.kind === "count" && !/^[1-9]\d*$/.test(value)) wrong[field.name] = "A whole number above zero.";
    else if (field.least && value.length < field.least) wrong[field.name] = `At least ${field.least} characters.`;
    else if (field.most && value.length > field.most)
      wrong[field.name] = `At most ${field.most} characters; it has ${value.length}.`;
  }
  return wrong;
}

/** Returns the values of a field of kind `several`. */
export function parts(text: string | undefined): string[] {
  return (text ?? "").split(",").filter(Boolean);
}

/** Returns the field's text with the value added, or removed. */
export function toggled(text: string | undefined, value: string): string {
  const before = parts(text);
  return (before.includes(value) ? before.filter((part) => part !== value) : [...before, value]).join(",");
}
