// The pages of an app by their path. Links are ordinary `<a href>`; this handles clicks on those that stay within the
// app.
import type { Component } from "svelte";

// Pages have props of their own, all of them parameters of the path.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Page = Component<any>;
export type Load = () => Promise<{ default: Page }>;
/** Pages by pattern, such as `/jobs/:id`. The first match is shown. */
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
  /** Whether no page has this path, or the page could not be loaded. */
  error: "missing" | "unreachable" | null = $state(null);

  #base = "";
  #routes: Routes = {};
  #turn = 0;
  /** The current history entry, and each entry's scroll position when it was left. */
  #entry = "";
  #scrolled = new Map<string, number>();

  /** `base` is the app's path without the last slash, such as `/customer`. */
  start(base: string, routes: Routes): void {
    this.#base = base;
    this.#routes = routes;
    // Pages and their lists load late, so the browser would scroll too early.
    history.scrollRestoration = "manual";
    this.#entry = entry();
    // Known before the page has loaded: readers of the path must not take it for the first page.
    this.place = here(base);
    addEventListener("popstate", () => {
      this.#leave();
      this.#entry = entry();
      void this.#show(this.#scrolled.get(this.#entry));
    });
    document.addEventListener("click", (event) => this.#click(event));
    void this.#show();
  }

  /** Returns the address of a page of this app. */
  href(path: string): string {
    return this.#base + path;
  }

  go(path: string, options: { replace?: boolean } = {}): void {
    this.#leave();
    if (options.replace) history.replaceState(history.state, "", this.href(path));
    else history.pushState(null, "", this.href(path));
    this.#entry = entry();
    void this.#show();
  }

  /** Changes the query without adding a history entry: `null` removes a name. */
  ask(changes: Record<string, string | null>): void {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === "") url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    history.replaceState(history.state, "", url);
    this.place = { path: this.place.path, query: url.searchParams };
  }

  #click(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname !== this.#base && !link.pathname.startsWith(`${this.#base}/`)) return;
    // Links within this page, such as the skip link, are left to the browser.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.preventDefault();
    this.go(link.pathname.slice(this.#base.length) + link.search);
  }

  #leave(): void {
    this.#scrolled.set(this.#entry, scrollY);
  }

  /** `scrolled`: the page's scroll position when it was left. */
  async #show(scrolled = 0): Promise<void> {
    const turn = (this.#turn += 1);
    const place = here(this.#base);
    const { path } = place;
    const found = match(this.#routes, path);
    if (!found) {
      Object.assign(this, { place, error: "missing", page: null, pattern: "", params: {} });
      return;
    }
    try {
      const page = (await found.load()).default;
      if (turn !== this.#turn) return;
      const isOther = this.pattern !== found.pattern || this.place.path !== path;
      Object.assign(this, { place, params: found.params, page, pattern: found.pattern, error: null });
      if (isOther) {
        if (scrolled === 0) scrollTo(0, 0);
        else this.#scrollBack(scrolled);
        // Keyboards and screen readers start at the new page's heading, unless the person is already typing.
        requestAnimationFrame(() => {
          if (!document.activeElement?.matches("input, textarea, select"))
            document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: scrolled > 0 });
        });
      }
    } catch {
      if (turn === this.#turn) Object.assign(this, { place, error: "unreachable", page: null });
    }
  }

  /** Scrolls once the page is long enough, unless the person scrolls or moves on first. */
  #scrollBack(to: number): void {
    const turn = this.#turn;
    const moved = new AbortController();
    const growing = new ResizeObserver(() => {
      if (turn === this.#turn && !moved.signal.aborted) scrollTo(0, to);
      if (turn !== this.#turn || moved.signal.aborted || scrollY >= to - 1) end();
    });
    const end = () => {
      growing.disconnect();
      moved.abort();
    };
    for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"])
      addEventListener(kind, end, { signal: moved.signal, passive: true });
    growing.observe(document.body);
  }
}

/** Returns the place in the browser's address. */
function here(base: string): Place {
  return { path: location.pathname.slice(base.length) || "/", query: new URLSearchParams(location.search) };
}

/** Returns the name of the current history entry; a new entry gets one. */
function entry(): string {
  const known = (history.state as { entry?: string } | null)?.entry;
  if (known !== undefined) return known;
  const name = crypto.randomUUID();
  history.replaceState({ entry: name }, "");
  return name;
}

/** Returns the route of a path, with the values of its parameters. */
export function match(
  routes: Routes,
  path: string,
): { pattern: string; params: Record<string, string>; load: Load } | null {
  const parts = path.split("/").filter(Boolean);
  for (const [pattern, load] of Object.entries(routes)) {
    const names = pattern.split("/").filter(Boolean);
    if (names.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = names.every((name, index) => {
      const part = parts[index] ?? "";
      if (!name.startsWith(":")) return name === part;
      const value = decoded(part);
      params[name.slice(1)] = value ?? "";
      return value !== null;
    });
    if (fits) return { pattern, params, load };
  }
  return null;
}

/** Returns null if it is not percent-encoded UTF-8: no page has such an address. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export const router = new Router();
