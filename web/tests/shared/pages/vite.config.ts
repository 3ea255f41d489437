// The pages of these tests, with only the shared parts: npx vite --config tests/shared/pages/vite.config.ts
import { resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const web = resolve(import.meta.dirname, "../../..");
const service = process.env["ROADCALL_URL"] ?? "http://127.0.0.1:8080";
const proxy = { "/api": { target: service, ws: true }, "/uploads": service };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [svelte({ configFile: resolve(web, "svelte.config.js") })],
  resolve: {
    alias: {
      $shared: resolve(web, "src/shared"),
      $words: resolve(web, "src/words/messages.js"),
      $locale: resolve(web, "src/words/runtime.js"),
    },
  },
  build: { target: "es2022", assetsInlineLimit: 0, emptyOutDir: true },
  server: { proxy },
  preview: {
    proxy,
    headers: {
      // As the service sends it.
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; " +
        "worker-src 'self'; manifest-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
        "base-uri 'none'; form-action 'none'",
    },
  },
});
