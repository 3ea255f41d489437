// Writes the types of the interface from its documents:
//   node scripts/types.mjs [DOCUMENTS [FOLDER]]
// DOCUMENTS is the folder with openapi.json, from which src/shared/api/schema.d.ts comes, and asyncapi.json, from which
// src/shared/api/frames.d.ts comes. Without it the program of the last `cargo build`, or ROADCALL_BIN, writes them.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";

const [given, folder = join(import.meta.dirname, "../src/shared/api")] = process.argv.slice(2);
const documents = given ?? mkdtempSync(join(tmpdir(), "roadcall-documents-"));
if (given === undefined) {
  const program = process.env.ROADCALL_BIN ?? join(import.meta.dirname, "../../target/debug/roadcall");
  execFileSync(program, ["reference", "--to", documents], { stdio: "inherit" });
}

/** @param {string} name */
const document = (name) => JSON.parse(readFileSync(join(documents, name), "utf8"));

const openapi = document("openapi.json");
for (const [path, operations] of Object.entries(openapi.paths)) {
  if (path.startsWith("/api/v1/")) delete openapi.paths[path];
  for (const operation of Object.values(operations)) {
    // Every refusal has the same body.
    const answers = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith("2"));
    for (const [, answer] of answers) delete answer.headers;
    const refusal = { $ref: "#/components/schemas/ErrorBody" };
    const content = { "application/json": { schema: refusal } };
    if (operation.responses)
      operation.responses = { ...Object.fromEntries(answers), default: { description: "", content } };
  }
}
delete openapi.components.responses;
delete openapi.components.headers;
withoutExamples(openapi);

/** Examples and long descriptions are read in the document. @param {unknown} node */
function withoutExamples(node) {
  if (node === null || typeof node !== "object") return;
  for (const [key, value] of Object.entries(node)) {
    if (
      key === "example" ||
      key === "examples" ||
      (key === "description" && typeof value === "string" && value.length > 300)
    ) {
      delete node[key];
    } else withoutExamples(value);
  }
}

const asyncapi = document("asyncapi.json");
if (given === undefined) rmSync(documents, { recursive: true });
/** @type {Record<string, string[]>} */
const direction = { receive: [], send: [] };
for (const operation of Object.values(asyncapi.operations)) {
  for (const message of operation.messages) direction[operation.action]?.push(message.$ref.split("/").at(-1));
}
/** A schema whose property `type` of each frame leads to its `data`. @param {string[]} names */
const byType = (names) => ({
  type: "object",
  properties: Object.fromEntries(
    names.map((name) => {
      const payload = asyncapi.components.messages[name].payload;
      return [payload.properties.type.const ?? name, payload.properties.data ?? {}];
    }),
  ),
  required: names.map((name) => asyncapi.components.messages[name].payload.properties.type.const ?? name),
});
const answers = Object.fromEntries(
  Object.entries(asyncapi.components.messages)
    .filter(([name]) => name.endsWith(".ack"))
    .map(([name, message]) => [name.slice(0, -4), message.payload.properties.data ?? {}]),
);
const frames = {
  openapi: "3.1.0",
  info: { title: asyncapi.info.title, version: asyncapi.info.version },
  paths: {},
  components: {
    schemas: {
      ...asyncapi.components.schemas,
      ClientFrames: byType(direction.receive),
      ServerFrames: byType(direction.send.filter((name) => !name.endsWith(".ack") && name !== "error")),
      Answers: { type: "object", properties: answers, required: Object.keys(answers) },
    },
  },
};

mkdirSync(folder, { recursive: true });
const note = (path) => `// Written by scripts/types.mjs from ${path}. Do not edit.\n\n`;
const options = { alphabetize: true, defaultNonNullable: false };
writeFileSync(join(folder, "schema.d.ts"), note("openapi.json") + astToString(await openapiTS(openapi, options)));
writeFileSync(join(folder, "frames.d.ts"), note("asyncapi.json") + astToString(await openapiTS(frames, options)));
