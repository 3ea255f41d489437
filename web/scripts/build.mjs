// Builds every app into dist/: node scripts/build.mjs [APP…]
// Beside each file that compresses there is one compressed with Brotli, so that the server never compresses.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { licences } from "./licences.mjs";

const all = ["home", "customer", "mechanic", "console", "partners"];
const apps = process.argv.slice(2).length > 0 ? process.argv.slice(2) : all;
const compressible = /\.(html|js|mjs|css|svg|json|webmanifest|txt|pbf|geojson)$/;

process.chdir(join(import.meta.dirname, ".."));
execFileSync(
  "npx",
  ["--no-install", "paraglide-js", "compile", "--silent", "--project", "./project.inlang", "--outdir", "./src/words"],
  {
    stdio: "inherit",
  },
);
for (const app of apps) {
  rmSync(join("dist", app), { recursive: true, force: true });
  execFileSync("npx", ["--no-install", "vite", "build", "--logLevel", "warn"], {
    stdio: "inherit",
    env: { ...process.env, APP: app, NODE_ENV: "production" },
  });
  for (const path of files(join("dist", app))) compress(path);
}

if (existsSync(join("dist", "home"))) {
  const file = join("dist", "home", "licences.txt");
  writeFileSync(file, licences());
  compress(file);
}

/** @param {string} folder @returns {string[]} */
function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @param {string} path */
function compress(path) {
  if (!compressible.test(path) || statSync(path).size < 512) return;
  const bytes = readFileSync(path);
  const small = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  if (small.length < bytes.length) writeFileSync(`${path}.br`, small);
}
