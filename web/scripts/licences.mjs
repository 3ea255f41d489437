// The licences of everything that the apps contain, which go with them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Permissive ones, as for crates (deny.toml); OFL is for fonts. */
const ALLOWED = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1"];
/** What it generates is among our own files, so bundles don't name it. */
const GENERATES = ["@inlang/paraglide-js"];

/**
 * Their names, versions and texts; throws if one of them is not permissive. Reads the lock file, node_modules and what
 * the apps' builds wrote down.
 */
export function licences() {
  const written = readdirSync("dist").filter((file) => file.startsWith(".packages-"));
  const bundled = new Set([
    ...GENERATES,
    ...written.flatMap((file) => /** @type {string[]} */ (JSON.parse(readFileSync(join("dist", file), "utf8")))),
  ]);
  /** @type {{ packages: Record<string, { version: string, license?: string, dev?: boolean }> }} */
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const contained = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path !== "" && (!dev || bundled.has(nameOf(path))),
  );
  const texts = contained.map(([path, { version, license = "none" }]) => {
    const choices = license.replace(/[()]/g, "").split(" OR ");
    if (!choices.some((choice) => ALLOWED.includes(choice)))
      throw new Error(`${nameOf(path)} has the licence ${license}, which is not among ${ALLOWED.join(", ")}`);
    const files = readdirSync(path).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    return [
      `${nameOf(path)} ${version} (${license})`,
      ...files.map((file) => readFileSync(join(path, file), "utf8").trim()),
    ].join("\n\n");
  });
  const line = "-".repeat(80);
  return `${["What these web apps are made with, and under which licences.", ...texts].join(`\n\n${line}\n\n`)}\n`;
}

/** @param {string} path Of a package below node_modules. */
function nameOf(path) {
  return path.split("node_modules/").at(-1) ?? path;
}
