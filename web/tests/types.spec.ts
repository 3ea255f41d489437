// The apps' types are those of the interface that the service really has.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "./support/test";

test("the types of the interface are those of the service", ({ service }, info) => {
  const web = resolve(import.meta.dirname, "..");
  const folder = info.outputPath("types");
  execFileSync(process.execPath, [join(web, "scripts/types.mjs"), service.url, folder], { stdio: "inherit" });
  for (const file of ["schema.d.ts", "frames.d.ts"]) {
    const now = readFileSync(join(folder, file), "utf8");
    const kept = readFileSync(join(web, "src/shared/api", file), "utf8");
    expect(now === kept, `${file} is out of date: run npm run types against this server`).toBe(true);
  }
});
