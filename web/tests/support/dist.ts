// Serves the built apps as the service does, but without the service.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { API, type Answers } from "./answers";
import { examples } from "./examples";
import { listen, stop } from "./listening";

const DIST = resolve(import.meta.dirname, "../../dist");

/** As the service sends it. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; manifest-src 'self'; media-src 'self' blob:; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves the apps, and the answers of `answers` to API requests. */
export class Dist {
  private constructor(
    /** The address, without a slash at the end. */
    readonly url: string,
    /** Stops the server. */
    readonly stop: () => Promise<void>,
  ) {}

  static async serve(answers: Answers): Promise<Dist> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      if (pathname.startsWith(`${API}/`))
        void ask(answers, pathname.slice(API.length), searchParams, request, response);
      else file(decodeURIComponent(pathname), response);
    });
    return new Dist(`http://127.0.0.1:${await listen(server)}`, () => stop(server));
  }
}

async function ask(
  answers: Answers,
  path: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = "";
  for await (const piece of request) text += String(piece);
  const method = request.method ?? "";
  const found = examples().find(method, path);
  if (found?.isStream) {
    // Tests send no events on a stream.
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).flushHeaders();
    return;
  }
  if (found?.isPicture) {
    file("/home/icons/icon.svg", response);
    return;
  }
  const isJson = request.headers["content-type"]?.startsWith("application/json") && text !== "";
  const reply = answers.reply(found, method, { path, query, body: isJson ? JSON.parse(text) : null });
  if (reply === null) response.destroy();
  else if (reply.body === null) response.writeHead(reply.status).end();
  else response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.body));
}

interface Stored {
  headers: Record<string, string>;
  bytes: Buffer;
}
/** The files served so far, by path; null for missing ones. */
const stored = new Map<string, Stored | null>();

function file(path: string, response: ServerResponse): void {
  let found = stored.get(path);
  if (found === undefined) stored.set(path, (found = read(path)));
  if (found === null) response.writeHead(404).end();
  else response.writeHead(200, found.headers).end(found.bytes);
}

/** Returns a file; a path without an extension is a page within the app, which the app itself finds. */
function read(path: string): Stored | null {
  const [, app = "", ...below] = path.split("/");
  const name =
    app === ""
      ? "home/index.html"
      : app === "track"
        ? "customer/share.html"
        : app === "uploads"
          ? "customer/icons/icon-192.png"
          : app === "where"
            ? "customer/where.html"
            : below.at(-1)?.includes(".")
              ? path
              : `${app}/index.html`;
  const full = join(DIST, normalize(name));
  if (!existsSync(join(DIST, "home/index.html"))) throw new Error("the apps are not built: run ./script/web");
  if (!full.startsWith(DIST) || !existsSync(full) || !statSync(full).isFile()) return null;
  const isKept = full.includes("/assets/");
  const headers = {
    "content-type": TYPES[extname(full)] ?? "application/octet-stream",
    "cache-control": isKept ? "public, max-age=31536000, immutable" : "no-cache",
    ...(isKept ? {} : { "content-security-policy": POLICY }),
  };
  return { headers, bytes: readFileSync(full) };
}
