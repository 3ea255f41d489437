import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin, type PluginOption } from "vite";
import { VitePWA } from "vite-plugin-pwa";

/** The apps, each built alone into a folder of its own: `APP=customer vite build`. */
const apps = ["home", "customer", "mechanic", "console", "partners"] as const;
type App = (typeof apps)[number];

/** Pages of an app beside its `index.html`. */
const morePages: Partial<Record<App, string[]>> = { customer: ["share.html", "where.html"] };

/** Apps that can be installed and start without a network. */
const installable: Partial<Record<App, { name: string; short_name: string; description: string }>> = {
  customer: {
    name: "Roadcall",
    short_name: "Roadcall",
    description: "Get a mechanic to your vehicle, and watch them come closer.",
  },
  mechanic: {
    name: "Roadcall for mechanics",
    short_name: "Mechanic",
    description: "Get jobs near you, and get paid.",
  },
};

/** What the heads of all pages have in common. */
function head(app: App): Plugin {
  const scheme = readFileSync(resolve(import.meta.dirname, "src/shared/ui/chosen-scheme.js"), "utf8");
  const fileName = `assets/chosen-scheme-${createHash("sha256").update(scheme).digest("hex").slice(0, 8)}.js`;
  return {
    name: "head",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { charset: "utf-8" } },
      { tag: "meta", attrs: { name: "viewport", content: "width=device-width, initial-scale=1, viewport-fit=cover" } },
      { tag: "meta", attrs: { name: "color-scheme", content: "light dark" } },
      { tag: "meta", attrs: { name: "theme-color", content: "#12161c" } },
      { tag: "link", attrs: { rel: "icon", href: `/${app}/icons/icon.svg`, type: "image/svg+xml" } },
      { tag: "link", attrs: { rel: "apple-touch-icon", href: `/${app}/icons/icon-192.png` } },
      { tag: "script", attrs: { src: `/${app}/${fileName}` } },
    ],
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source: scheme });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${app}/${fileName}`, (_, response) =>
        response.setHeader("content-type", "text/javascript").end(scheme),
      );
    },
  };
}

/** Writes down which packages have code in the bundle, for their licences (`scripts/licences.mjs`). */
function packages(app: App): Plugin {
  return {
    name: "packages",
    generateBundle(_, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
      // Helpers of the build tools have names such as "\0vite/preload-helper.js".
      const names = ids.flatMap(
        (id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? /^\0(vite|rolldown)\//.exec(id)?.[1] ?? [],
      );
      const dist = resolve(import.meta.dirname, "dist");
      mkdirSync(dist, { recursive: true });
      writeFileSync(resolve(dist, `.packages-${app}.json`), JSON.stringify([...new Set(names)].sort()));
    },
  };
}

function pwa(app: App): PluginOption {
  const about = installable[app];
  if (!about) return null;
  return VitePWA({
    strategies: "injectManifest",
    srcDir: "../shared",
    filename: "service-worker.ts",
    injectRegister: null,
    includeManifestIcons: false,
    registerType: "prompt",
    injectManifest: {
      injectionPoint: "self.__WB_MANIFEST",
      // Maps and the fonts of other scripts are cached when they are first used. Pages are all here: an open app must
      // not depend on files of its build that a newer service no longer has.
      globPatterns: ["index.html", "assets/*.{js,css}", "assets/noto-sans-latin-wght-normal-*.woff2"],
      globIgnores: [
        "assets/{maplibre,basemap,world}*",
        "assets/{share,where,TrackMap,OwnPart,RateByLink}-*",
        "**/*.br",
      ],
      maximumFileSizeToCacheInBytes: 1024 * 1024,
      rollupFormat: "iife",
    },
    manifest: {
      ...about,
      id: `/${app}/`,
      start_url: `/${app}/`,
      scope: `/${app}/`,
      display: "standalone",
      background_color: "#12161c",
      theme_color: "#12161c",
      icons: [
        { src: "icons/icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
        { src: "icons/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
        { src: "icons/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
        { src: "icons/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      ],
    },
  });
}

export default defineConfig(() => {
  const app = (process.env["APP"] ?? "home") as App;
  if (!apps.includes(app)) throw new Error(`set APP to one of: ${apps.join(", ")}`);
  const root = resolve(import.meta.dirname, "src", app);
  const service = process.env["ROADCALL_URL"] ?? "http://127.0.0.1:8080";
  return {
    root,
    base: `/${app}/`,
    publicDir: resolve(root, "public"),
    plugins: [
      svelte({ configFile: resolve(import.meta.dirname, "svelte.config.js") }),
      head(app),
      packages(app),
      pwa(app),
    ],
    resolve: {
      alias: {
        $shared: resolve(import.meta.dirname, "src/shared"),
        $words: resolve(import.meta.dirname, "src/words/messages.js"),
        $locale: resolve(import.meta.dirname, "src/words/runtime.js"),
      },
    },
    build: {
      outDir: resolve(import.meta.dirname, "dist", app),
      emptyOutDir: true,
      target: "es2022",
      // Everything is a file of its own: the Content-Security-Policy allows no data: URLs for fonts and workers.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1200,
      rolldownOptions: {
        input: ["index.html", ...(morePages[app] ?? [])].map((page) => resolve(root, page)),
      },
    },
    server: {
      // Shows pages as you edit them and passes requests of the interface on to a running service.
      proxy: { "/api": { target: service, ws: true }, "/map": service, "/uploads": service, "/receipts": service },
    },
  };
});
