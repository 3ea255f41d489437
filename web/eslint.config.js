// Finds faults, and lines that Prettier can't break.
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  globalIgnores(["dist/", "test-results/", "src/words/", "src/**/*.d.ts"]),
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-len": ["error", { code: 120, ignoreUrls: true, ignorePattern: "^import " }],
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_$" }],
      // TypeScript knows which names there are.
      "no-undef": "off",
      // {" "} is a space that the compiler would remove.
      "svelte/no-useless-mustaches": "off",
      // It can't tell what a function makes and returns from what is state.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  // What is longer shows more than one thing, or decides something that belongs into a file of rules.
  { files: ["**/*.svelte"], rules: { "max-lines": ["error", { max: 200 }] } },
);
