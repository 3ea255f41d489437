// Pages of an app by their path. Links are ordinary `<a href>`; this takes the clicks on those that stay within the app.
import type { Component } from "svelte";

// Pages have props of their own, all of them parameters of the path.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Page = Component<any>;
export type Load = () => Promise<{ default: Page }>;
/** Pages by pattern, such as `/jobs/:id`. The first that fits is shown. */
export type Routes = Record<string, Load>;

export interface Place {
  /** The path within the app, such as `/jobs/17`. */
  path: string;
  query: URLSearchParams;
}

class Router {
  place: Place = $state.raw({ path: "/", query: new URLSearchParams() });
  pattern = $state("");
  params: Record<string, string> = $state.raw({});
  page: Page | null = $state.raw(null);
  /** Nothing has this path, or its page could not be loaded. */
  failed: "missing" | "unreachable" | null = $state(null);

  #base = "";
  #routes: Routes = {};
  #turn = 0;

  /** `base` is the app's path without the last slash, such as `/customer`. */
  start(base: string, routes: Routes): void {
    this.#base = base;
    this.#routes = routes;
    addEventListener("popstate", () => void this.#show());
    document.addEventListener("click", (event) => this.#click(event));
    void this.#show();
  }

  /** The address of a page of this app. */
  href(path: string): string {
    return this.#base + path;
  }

  go(path: string, options: { replace?: boolean } = {}): void {
    if (options.replace) history.replaceState(null, "", this.href(path));
    else history.pushState(null, "", this.href(path));
    void this.#show();
  }

  /** Changes the query without a new entry in the history: `null` removes a name. */
  ask(changes: Record<string, string | null>): void {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === "") url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    history.replaceState(null, "", url);
    this.place = { path: this.place.path, query: url.searchParams };
  }

  #click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname !== this.#base && !link.pathname.startsWith(`${this.#base}/`)) return;
    event.preventDefault();
    this.go(link.pathname.slice(this.#base.length) + link.search);
  }

  async #show(): Promise<void> {
    const turn = (this.#turn += 1);
    const path = location.pathname.slice(this.#base.length) || "/";
    const found = match(this.#routes, path);
    const place = { path, query: new URLSearchParams(location.search) };
    if (!found) {
      Object.assign(this, { place, failed: "missing", page: null, pattern: "", params: {} });
      return;
    }
    try {
      const page = (await found.load()).default;
      if (turn !== this.#turn) return;
      const isOther = this.pattern !== found.pattern || this.place.path !== path;
      Object.assign(this, { place, params: found.params, page, pattern: found.pattern, failed: null });
      if (isOther) {
        scrollTo(0, 0);
        // Keyboards and screen readers begin at the new page's heading, unless the person types already.
        requestAnimationFrame(() => {
          if (!document.activeElement?.matches("input, textarea, select")) document.querySelector<HTMLElement>("h1")?.focus();
        });
      }
    } catch {
      if (turn === this.#turn) Object.assign(this, { place, failed: "unreachable", page: null });
    }
  }
}

/** The route that a path has, with the values of its parameters. */
export function match(routes: Routes, path: string): { pattern: string; params: Record<string, string>; load: Load } | null {
  const parts = path.split("/").filter(Boolean);
  for (const [pattern, load] of Object.entries(routes)) {
    const names = pattern.split("/").filter(Boolean);
    if (names.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = names.every((name, index) => {
      const part = parts[index] ?? "";
      if (!name.startsWith(":")) return name === part;
      params[name.slice(1)] = decodeURIComponent(part);
      return true;
    });
    if (fits) return { pattern, params, load };
  }
  return null;
}

export const router = new Router();
