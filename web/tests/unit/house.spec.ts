// Rules for the sources, checked by reading the files.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const web = resolve(import.meta.dirname, "../..");
const sources = readdirSync(join(web, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|svelte|css|html)$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.includes("/src/words/"))
  .map((path) => ({ path: relative(join(web, "src"), path), text: readFileSync(path, "utf8") }));

/** Returns where the sources match a pattern: file, line and the line's text. */
function having(pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(pattern, "gi"))].map(({ index }) => {
      const line = text.slice(0, index + 1).split("\n").length;
      return `${path}:${line}: ${text.split("\n")[line - 1]?.trim()}`;
    }),
  );
}

test("pages hold nothing that the Content-Security-Policy refuses, and no HTML from data", () => {
  expect(having(/\{@html|\.innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/)).toEqual([]);
  expect(having(/\sstyle=["'{]/)).toEqual([]);
  expect(having(/\son[a-z]+=["']/)).toEqual([]);
});

test("amounts are written by one function, with the commas that people write", () => {
  expect(having(/₹\s*[\d{$]/)).toEqual([]);
});

// A device token opens nothing: it only spares a known device the delay after strangers' wrong passwords.
test("tokens are in memory and cookies alone", () => {
  expect(having(/(local|session)Storage.*((?<!device)token|jwt)/i)).toEqual([]);
  expect(having(/document\.cookie/)).toEqual([]);
});

// Links that a person follows may lead elsewhere: to a map, to a store.
test("nothing is loaded from another host", () => {
  const hosts = [
    "127.0.0.1",
    "localhost",
    "www.w3.org/",
    "www.google.com/maps",
    "maps.apple.com",
    "play.google.com/store",
    "apps.apple.com",
    "${",
  ].map((host) => host.replace(/[.$/{]/g, "\\$&"));
  const allowed = new RegExp(`https?:\\/\\/(${hosts.join("|")})`, "g");
  const others = having(/https?:\/\//).filter((line) => /https?:\/\//.test(line.replace(allowed, "")));
  expect(others.filter((line) => !/https:\/\/(www\.)?openstreetmap\.org/.test(line))).toEqual([]);
});

test("shared parts know no app, and apps do not know each other", () => {
  const apps = ["home", "customer", "mechanic", "console", "partners"];
  const wrong = sources.flatMap(({ path, text }) => {
    const own = path.split("/")[0] ?? "";
    return [...text.matchAll(/(?:from|import)\s*\(?["']([^"']+)["']/g)].flatMap(([, target = ""]) => {
      const place = target.startsWith(".")
        ? relative(join(web, "src"), resolve(web, "src", path, "..", target))
        : target.replace("$shared", "shared");
      const app = place.split("/")[0] ?? "";
      return apps.includes(app) && app !== own ? [`${path} imports ${target}`] : [];
    });
  });
  expect(wrong).toEqual([]);
});

test("no file is longer than anybody reads", () => {
  const long = sources.filter(({ path, text }) => path.endsWith(".ts") && text.split("\n").length > 400);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("every text is there in every language, with the same parts", () => {
  const missing: string[] = [];
  for (const app of readdirSync(join(web, "messages"))) {
    const read = (locale: string) =>
      JSON.parse(readFileSync(join(web, "messages", app, `${locale}.json`), "utf8")) as Record<string, unknown>;
    const english = read("en");
    for (const locale of ["hi", "kn"]) {
      const other = read(locale);
      for (const [key, text] of Object.entries(english)) {
        if (!key.startsWith(`${app}_`) && key !== "$schema")
          missing.push(`${app}/en.json: ${key} does not begin with ${app}_`);
        const parts = (value: unknown) =>
          [...new Set(JSON.stringify(value ?? "").match(/\{\w+\}/g) ?? [])].sort().join();
        if (!(key in other)) missing.push(`${app}/${locale}.json: ${key}`);
        else if (typeof text === "string" && parts(text) !== parts(other[key]))
          missing.push(`${app}/${locale}.json: ${key} has other parts`);
      }
      for (const key of Object.keys(other))
        if (!(key in english)) missing.push(`${app}/${locale}.json: ${key} is not in English`);
    }
  }
  expect(missing).toEqual([]);
});

test("every text is used", () => {
  // Whole words: a key may begin like another one.
  const used = new Set(sources.flatMap(({ text }) => text.match(/\w+/g) ?? []));
  const unused = readdirSync(join(web, "messages")).flatMap((app) =>
    Object.keys(JSON.parse(readFileSync(join(web, "messages", app, "en.json"), "utf8")) as object).filter(
      (key) => key !== "$schema" && !used.has(key),
    ),
  );
  expect(unused).toEqual([]);
});
