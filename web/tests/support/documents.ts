// The API documents, as the program writes them without being started as a service.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The folder of the two files, for tests in other processes. */
const FOLDER = "ROADCALL_DOCUMENTS";
const ROOT = resolve(import.meta.dirname, "../../..");

export interface Schema {
  $ref?: string;
  type?: string | string[];
  example?: unknown;
  examples?: unknown[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
}
interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Answer {
  $ref?: string;
  description?: string;
  content?: Record<string, Content>;
}
interface Operation {
  operationId?: string;
  deprecated?: boolean;
  security?: unknown[];
  responses?: Record<string, Answer>;
}
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
}
export interface AsyncApi {
  components: { messages: Record<string, { payload: Schema }>; schemas: Record<string, Schema> };
}

/** Returns the program under test: the last `cargo build`, or `ROADCALL_BIN`. */
export function program(): string {
  const path = process.env["ROADCALL_BIN"] ?? join(ROOT, "target/debug/roadcall");
  if (!existsSync(path)) throw new Error(`${path} does not exist: run cargo build, or set ROADCALL_BIN`);
  return path;
}

/** Writes the documents, once for all tests of a run. Returns a function that deletes them. */
export function writeDocuments(): () => void {
  if (process.env[FOLDER] !== undefined) return () => {};
  const folder = mkdtempSync(join(tmpdir(), "roadcall-documents-"));
  execFileSync(program(), ["reference", "--to", folder], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  process.env[FOLDER] = folder;
  return () => {
    delete process.env[FOLDER];
    rmSync(folder, { recursive: true });
  };
}

/** Returns the folder with `openapi.json` and `asyncapi.json`. */
export function documentsFolder(): string {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error("nobody has written the documents: call writeDocuments before the tests");
  return folder;
}

export function documents(): { openapi: OpenApi; asyncapi: AsyncApi } {
  const read = (name: string): unknown => {
    const path = join(documentsFolder(), name);
    if (!existsSync(path)) throw new Error(`roadcall reference did not write ${name}: the program is too old`);
    return JSON.parse(readFileSync(path, "utf8"));
  };
  return { openapi: read("openapi.json") as OpenApi, asyncapi: read("asyncapi.json") as AsyncApi };
}
