// The first moment of what has just appeared under a finger: a press that began before its end was meant for something
// else.
import { isMeant, QUIET_MS } from "./offers";

export class Presses {
  /** Presses are not taken yet. */
  isQuiet = $state(true);

  #shownAt: number | null = null;
  #beganAt: number | null = null;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What can be pressed has changed. A page that nobody sees waits until it is seen. */
  begin(): void {
    this.isQuiet = true;
    this.#shownAt = null;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    // After the frame that draws it.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = requestAnimationFrame(() => {
        this.#shownAt = performance.now();
        this.#timer = setTimeout(() => (this.isQuiet = false), QUIET_MS);
      });
    });
  }

  /** Notes when presses begin, and begins anew when the page is seen again. Returns an end. */
  watch(): () => void {
    const began = (event: Event) => {
      if (!(event instanceof KeyboardEvent && event.repeat)) this.#beganAt = event.timeStamp;
    };
    const forget = () => (this.#beganAt = null);
    const seen = () => {
      if (document.visibilityState === "visible") this.begin();
    };
    const options = { capture: true };
    addEventListener("pointerdown", began, options);
    addEventListener("keydown", began, options);
    addEventListener("pointercancel", forget, options);
    document.addEventListener("visibilitychange", seen);
    return () => {
      removeEventListener("pointerdown", began, options);
      removeEventListener("keydown", began, options);
      removeEventListener("pointercancel", forget, options);
      document.removeEventListener("visibilitychange", seen);
      clearTimeout(this.#timer);
      cancelAnimationFrame(this.#frame);
    };
  }

  /** Whether the press that ended in this click counts. */
  takes(click: MouseEvent): boolean {
    const at = Math.min(click.timeStamp, this.#beganAt ?? Infinity);
    this.#beganAt = null;
    return isMeant(at, this.#shownAt);
  }
}
