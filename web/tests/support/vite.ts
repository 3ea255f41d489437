// Serves a page made for tests, with parts of the apps, by Vite.
import { resolve } from "node:path";
import { createServer, type Plugin, type ViteDevServer } from "vite";

const web = resolve(import.meta.dirname, "../..");

/** Serves the folder `page`, on a free port. */
export async function servePage(page: string, plugins: Plugin[] = []): Promise<{ url: string; server: ViteDevServer }> {
  process.env["APP"] = "home";
  const server = await createServer({
    configFile: resolve(web, "vite.config.ts"),
    root: page,
    base: "/",
    publicDir: false,
    cacheDir: resolve(web, "node_modules/.vite-tests"),
    logLevel: "error",
    plugins,
    optimizeDeps: { include: ["maplibre-gl", "pmtiles", "topojson-client"], exclude: [] },
    server: { port: 0, host: "127.0.0.1", hmr: false, proxy: {}, fs: { allow: [web] } },
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (typeof address !== "object" || address === null) throw new Error("the page has no address");
  return { url: `http://127.0.0.1:${address.port}`, server };
}
