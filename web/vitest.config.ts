// Tests of the rules, which need no browser and no service.
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const src = resolve(import.meta.dirname, "src");

export default defineConfig({
  resolve: {
    alias: {
      $shared: resolve(src, "shared"),
      $words: resolve(src, "words/messages.js"),
      $locale: resolve(src, "words/runtime.js"),
    },
  },
  // The tests run in random order; the seed is printed.
  test: { include: ["tests/unit/**/*.spec.ts"], sequence: { shuffle: true } },
});
