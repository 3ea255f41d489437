// The examples of the API documents, by operation and by frame.
import type { components as frameParts } from "../../src/shared/api/frames";
import type { components, paths } from "../../src/shared/api/schema";
import { documents, type Schema } from "./documents";

export type Schemas = components["schemas"];
export type Frames = frameParts["schemas"]["ServerFrames"];
export type Code = Schemas["ErrorDetail"]["code"];

type Method = "get" | "post" | "put" | "patch" | "delete";
/** An operation of the API, such as "GET /jobs/{id}". */
export type Operation = {
  [P in keyof paths]: {
    [M in Method]: paths[P] extends { [K in M]: object } ? `${Uppercase<M>} ${P}` : never;
  }[Method];
}[keyof paths];

type At<O> = O extends `${infer M} ${infer P extends keyof paths}`
  ? Lowercase<M> extends keyof paths[P]
    ? paths[P][Lowercase<M>]
    : never
  : never;
/** The body of an operation's answer. */
export type Answered<O extends Operation> =
  At<O> extends { responses: infer R }
    ? R[Extract<keyof R, 200 | 201 | 202>] extends { content: infer C }
      ? C[Extract<keyof C, "application/json" | "application/geo+json">]
      : null
    : never;

export interface Found {
  operation: Operation;
  status: number;
  /** Undefined if the document has no example; null for an answer without a body. */
  example: unknown;
  isStream: boolean;
  isPicture: boolean;
}

export interface Entry extends Found {
  method: string;
  path: RegExp;
}

/** Reads the documents once, for all tests of a process. */
class Examples {
  readonly #documents = documents();
  /** Those without a parameter first: `/jobs/estimate` is not a job. */
  readonly #entries = this.#read();

  #read(): Entry[] {
    return Object.entries(this.#documents.openapi.paths)
      .sort(([one], [other]) => one.split("{").length - other.split("{").length)
      .flatMap(([path, operations]) =>
        Object.entries(operations).flatMap(([method, { responses }]) => {
          const [status, answer] = Object.entries(responses ?? {}).find(([status]) => status.startsWith("2")) ?? [];
          if (status === undefined || answer === undefined) return [];
          const content = answer.content ?? {};
          const json = Object.entries(content).find(([type]) => /[/+]json$/.test(type))?.[1];
          const example = json
            ? (json.example ?? Object.values(json.examples ?? {})[0]?.value ?? this.#ofSchema(json.schema))
            : Object.keys(content).length === 0
              ? null
              : undefined;
          return {
            operation: `${method.toUpperCase()} ${path}` as Operation,
            method: method.toUpperCase(),
            path: new RegExp(`^${path.replace(/[.$]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
            status: Number(status),
            example,
            isStream: "text/event-stream" in content,
            isPicture: Object.keys(content).some((type) => type.startsWith("image/")),
          };
        }),
      );
  }

  #ofSchema(schema: Schema = {}): unknown {
    return this.#documents.openapi.components.schemas[schema.$ref?.split("/").at(-1) ?? ""]?.example;
  }

  /** Finds the operation of a request. `path` is below `/api/v1`. */
  find(method: string, path: string): Entry | undefined {
    return this.#entries.find((entry) => entry.method === method && entry.path.test(path));
  }

  entry(operation: Operation): Entry {
    const found = this.#entries.find((entry) => entry.operation === operation);
    if (!found) throw new Error(`the document has no operation ${operation}`);
    return found;
  }

  /** Returns a copy of the document's example of the operation's answer. */
  answer<O extends Operation>(operation: O): Answered<O> {
    const found = this.entry(operation);
    if (found.example === undefined) throw new Error(`the document has no example for the answer of ${operation}`);
    return structuredClone(found.example) as Answered<O>;
  }

  /** Returns a copy of the document's example of a schema. */
  of<N extends keyof Schemas>(name: N): Schemas[N] {
    const example = this.#documents.openapi.components.schemas[name]?.example;
    if (example === undefined) throw new Error(`the document has no example of ${name}`);
    return structuredClone(example) as Schemas[N];
  }

  /** Returns the example of a socket frame. */
  frame<T extends keyof Frames>(type: T): Frames[T] {
    return this.#message(type) as Frames[T];
  }

  /** Returns the service's acknowledgement of a socket command. */
  acknowledgement(command: string): unknown {
    return this.#message(`${command}.ack`);
  }

  #message(name: string): unknown {
    const message = this.#documents.asyncapi.components.messages[name];
    if (!message) throw new Error(`the document of the socket has no message ${name}`);
    const data = message.payload.properties?.["data"];
    return data ? this.#compose(data, name) : {};
  }

  #compose(schema: Schema, what: string): unknown {
    if (schema.examples?.length) return structuredClone(schema.examples[0]);
    if (schema.const !== undefined) return schema.const;
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split("/").at(-1) ?? "";
      const found = this.#documents.asyncapi.components.schemas[name];
      if (!found) throw new Error(`${what} refers to ${schema.$ref}, which is not there`);
      return this.#compose(found, `${what}, ${name}`);
    }
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => this.#compose(part, what))) as unknown;
    const choice = schema.oneOf?.find(({ type }) => type !== "null");
    if (choice) return this.#compose(choice, what);
    if (schema.properties)
      return Object.fromEntries(
        Object.entries(schema.properties).map(([name, part]) => [name, this.#compose(part, `${what}, ${name}`)]),
      );
    if (schema.items) return [this.#compose(schema.items, what)];
    if (schema.enum) return schema.enum[0];
    if (schema.type === "object") return {};
    throw new Error(`the document has no example of ${what}`);
  }
}

let known: Examples | undefined;
export const examples = (): Examples => (known ??= new Examples());
