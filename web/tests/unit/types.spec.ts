// The apps' types match the API that the program really has.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { documentsFolder, writeDocuments } from "../support/documents";

test("the types of the interface are those of the program", { timeout: 120_000 }, () => {
  onTestFinished(writeDocuments());
  const web = resolve(import.meta.dirname, "../..");
  const folder = mkdtempSync(join(tmpdir(), "roadcall-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync(process.execPath, [join(web, "scripts/types.mjs"), documentsFolder(), folder], { stdio: "inherit" });
  for (const file of ["schema.d.ts", "frames.d.ts"]) {
    const now = readFileSync(join(folder, file), "utf8");
    const kept = readFileSync(join(web, "src/shared/api", file), "utf8");
    expect(now === kept, `${file} is out of date: run npm run types`).toBe(true);
  }
});
