// Keeps a fleet up to date for the part of the world on a map: over the socket, or by requests while there is no
// socket.
import { answer, api } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { socket } from "$shared/api/socket.svelte";
import { live } from "../shell/live.svelte";
import { boxOf, Fleet, isWithin, type Bounds, type Touched } from "./fleet";

const PAUSE_MS = 250;
const ASK_EVERY_MS = 5_000;
/** The pause after the service has refused to keep another map up to date. */
const TRY_AGAIN_MS = 30_000;
/** The zoom from which mechanics are shown one by one. */
export const SINGLE_ZOOM = 12;

/** `asking`: there is no socket. `crowded`: the service keeps its maximum number of maps up to date. */
export type FeedState = "loading" | "live" | "asking" | "crowded" | "stale";

export class Feed {
  readonly fleet = new Fleet();
  state: FeedState = $state("loading");
  /** Counts changes, at most one for each frame of the service: lists read again when it changes. */
  revision = $state(0);
  /** When data last arrived, by the service's clock. */
  at: number | null = $state(null);

  /** Draws the differences. */
  draw: ((touched: Touched) => void) | null = null;

  #view: { bounds: Bounds; zoom: number } | null = null;
  #box: string | null = null;
  #zoom = 0;
  #turn = 0;
  #isRefused = false;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #ends: (() => void)[] = [];
  #isEnded = false;

  constructor() {
    this.#ends = [
      socket.on("fleet.snapshot", ({ data }) => this.#arrived(this.fleet.snapshot(data), "live")),
      socket.on("fleet.changed", ({ data }) => this.#arrived(this.fleet.change(data), "live")),
      socket.onOpen(() => void this.#subscribe()),
    ];
    this.#timer = setTimeout(() => void this.#ask(), ASK_EVERY_MS);
  }

  /** Follows the map to another part of the world. */
  look(bounds: Bounds, zoom: number): void {
    const isFirst = this.#view === null;
    this.#view = { bounds, zoom };
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#moved(), isFirst ? 0 : PAUSE_MS);
  }

  end(): void {
    this.#isEnded = true;
    live.onMap = null;
    clearTimeout(this.#pause);
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    for (const end of this.#ends) end();
    if (socket.state === "open") socket.command("fleet.unsubscribe", {}).catch(() => {});
  }

  #moved(): void {
    if (!this.#view) return;
    const { bounds, zoom } = this.#view;
    const level = Math.floor(zoom);
    // Cells differ by zoom; single mechanics don't, and a box that is much too large would load data that nobody sees.
    const isSame =
      this.#box !== null &&
      isWithin(bounds, this.#box) &&
      (level === this.#zoom || (level === this.#zoom + 1 && !this.fleet.isAggregated));
    if (isSame) return;
    this.#box = boxOf(bounds);
    this.#zoom = level;
    if (socket.state === "open" && !this.#isRefused) void this.#subscribe();
    else void this.#ask();
  }

  async #subscribe(): Promise<void> {
    if (this.#box === null) return;
    const turn = (this.#turn += 1);
    clearTimeout(this.#again);
    try {
      await socket.command("fleet.subscribe", { bbox: this.#box, zoom: this.#zoom, details: true });
      this.#isRefused = false;
    } catch (error) {
      // A later command from here has overtaken this one.
      if (turn !== this.#turn || this.#isEnded) return;
      // Too many maps are kept up to date already.
      this.#isRefused = error instanceof Refusal;
      void this.#ask();
      if (this.#isRefused)
        this.#again = setTimeout(() => socket.state === "open" && void this.#subscribe(), TRY_AGAIN_MS);
    }
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isEnded) return;
    try {
      const isSocketAway = socket.state !== "open" || this.#isRefused;
      if (isSocketAway && this.#box !== null && document.visibilityState === "visible") {
        const box = this.#box;
        const view = await answer(
          api.GET("/admin/fleet", { params: { query: { bbox: box, zoom: this.#zoom, details: true } } }),
        );
        if (box === this.#box && (socket.state !== "open" || this.#isRefused))
          this.#arrived(this.fleet.snapshot(view), socket.state === "open" ? "crowded" : "asking");
      }
    } catch {
      if (this.fleet.isKnown) this.state = "stale";
      live.onMap = null;
    } finally {
      clearTimeout(this.#timer);
      if (!this.#isEnded) this.#timer = setTimeout(() => void this.#ask(), ASK_EVERY_MS);
    }
  }

  #arrived(touched: Touched, state: FeedState): void {
    if (this.#isEnded) return;
    this.state = state;
    live.onMap = this.fleet.everywhere;
    this.at = Date.now() + socket.clockOffsetMs;
    this.draw?.(touched);
    this.revision += 1;
  }
}
