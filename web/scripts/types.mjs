// Writes the types of the interface from its documents:
//   node scripts/types.mjs [DOCUMENTS [FOLDER]]
// DOCUMENTS is the folder with openapi.json, from which src/shared/api/schema.d.ts comes, and asyncapi.json, from which
// src/shared/api/frames.d.ts comes. Without it the program of the last `cargo build`, or ROADCALL_BIN, writes them.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { format } from "prettier";
import ts from "typescript";

const [given, folder = join(import.meta.dirname, "../src/shared/api")] = process.argv.slice(2);
const documents = given ?? mkdtempSync(join(tmpdir(), "roadcall-documents-"));
if (given === undefined) {
  const program = process.env.ROADCALL_BIN ?? join(import.meta.dirname, "../../target/debug/roadcall");
  execFileSync(program, ["reference", "--to", documents], { stdio: "inherit" });
}

/** @param {string} name */
const document = (name) => JSON.parse(readFileSync(join(documents, name), "utf8"));
const openapi = document("openapi.json");
const asyncapi = document("asyncapi.json");
if (given === undefined) rmSync(documents, { recursive: true });

for (const [path, operations] of Object.entries(openapi.paths)) {
  if (path.startsWith("/api/v1/")) delete openapi.paths[path];
  for (const operation of Object.values(operations)) {
    // An operation with an id would be written apart from its path.
    delete operation.operationId;
    // Every refusal has the same body, which `refusalOf` reads.
    const answers = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith("2"));
    for (const [, answer] of answers) delete answer.headers;
    if (operation.responses) operation.responses = Object.fromEntries(answers);
    for (const part of [operation, operation.requestBody ?? {}, ...answers.map(([, answer]) => answer)]) {
      delete part.summary;
      delete part.description;
    }
    operation.parameters = operation.parameters?.map((parameter) => {
      const { name, in: where, required, schema } = resolved(parameter);
      return { name, in: where, required, schema };
    });
  }
}
openapi.components = { schemas: openapi.components.schemas };

/** @param {{ $ref?: string }} parameter */
function resolved(parameter) {
  return parameter.$ref ? openapi.components.parameters[parameter.$ref.split("/").at(-1)] : parameter;
}

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

/** Removes texts that belong to the document: examples, formats, defaults, long descriptions. @param {unknown} node */
function shorten(node) {
  if (node === null || typeof node !== "object") return;
  for (const [key, value] of Object.entries(node)) {
    const isLong = key === "description" && typeof value === "string" && value.length > 300;
    if (["example", "examples", "default"].includes(key) || isLong || (key === "format" && typeof value === "string")) {
      delete node[key];
    } else if (key === "properties") for (const property of Object.values(value)) shorten(property);
    else shorten(value);
  }
}

/** Marks a schema of frames.d.ts that refers to the same schema in schema.d.ts. */
const SHARED = "x-shared";

/** Replaces the schemas of the frames that are the same in schema.d.ts, with everything that they refer to. */
function share() {
  const { schemas } = openapi.components;
  const own = frames.components.schemas;
  const text = (name) => JSON.stringify(own[name]);
  let shared = Object.keys(own).filter((name) => text(name) === JSON.stringify(schemas[name]));
  const isSharedThroughout = (name) =>
    [...text(name).matchAll(/"#\/components\/schemas\/(\w+)"/g)].every(([, other]) => shared.includes(other));
  while (!shared.every(isSharedThroughout)) shared = shared.filter(isSharedThroughout);
  for (const name of shared) own[name] = { [SHARED]: name };
}

/** @param {Record<string, string>} schema */
function reference(schema) {
  if (!(SHARED in schema)) return undefined;
  const name = ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(schema[SHARED]));
  return ts.factory.createIndexedAccessTypeNode(ts.factory.createTypeReferenceNode("Shared"), name);
}

/** Leaves out members that only say that something is absent. @param {ts.Node} node @returns {ts.Node | undefined} */
function withoutAbsent(node) {
  if (!ts.isPropertySignature(node)) return ts.visitEachChild(node, withoutAbsent, undefined);
  if (node.type.kind === ts.SyntaxKind.NeverKeyword || node.name.text === "headers") return undefined;
  const visited = ts.visitEachChild(node, withoutAbsent, undefined);
  const isEmpty = ts.isTypeLiteralNode(visited.type) && visited.type.members.length === 0;
  return node.name.text === "parameters" && isEmpty ? undefined : visited;
}

/** Writes the types of a document after `head`. @param {string} name @param {string} head @param {object} from */
async function write(name, head, from) {
  const all = await openapiTS(from, { alphabetize: true, defaultNonNullable: false, transform: reference });
  /** @param {string} name */
  const declared = (name) => all.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  const paths = declared("paths");
  const components = declared("components");
  const schemas = components.members.filter((member) => member.name.text === "schemas");
  const { modifiers, name: called } = components;
  const kept = ts.factory.updateInterfaceDeclaration(components, modifiers, called, undefined, undefined, schemas);
  const text = astToString(paths ? [withoutAbsent(paths), kept] : [kept])
    .replaceAll(/^ *\* @(enum|constant).*\n/gm, "")
    .replaceAll(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, "$1/** $2 */")
    .replaceAll("* @description ", "* ")
    .replaceAll(/^( *\*) {5}/gm, "$1 ");
  const options = { parser: "typescript", printWidth: 120, objectWrap: "collapse" };
  writeFileSync(join(folder, name), await format(`${head}\n\n${text}`, options));
}

mkdirSync(folder, { recursive: true });
shorten(openapi);
shorten(frames);
share();
const note = (document) => `// Written by scripts/types.mjs from ${document}. Do not edit.`;
await write("schema.d.ts", note("openapi.json"), openapi);
const shared = 'import type { components as requests } from "./schema";\n\ntype Shared = requests["schemas"];';
await write("frames.d.ts", `${note("asyncapi.json")}\n${shared}`, frames);
