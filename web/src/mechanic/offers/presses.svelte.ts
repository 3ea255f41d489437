// The first moment after something has appeared under a finger: a press that began before the end of that moment was
// meant for something else.
import { onVisible } from "$shared/visible";
import { isMeant, QUIET_MS } from "./offers";

export class Presses {
  /** Whether presses are still ignored. */
  isQuiet = $state(true);

  #shownAt: number | null = null;
  #beganAt: number | null = null;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts the wait after the buttons have changed. On a hidden page it starts once the page is visible. */
  begin(): void {
    this.isQuiet = true;
    this.#shownAt = null;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    // Waits for the frame that draws the change.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = requestAnimationFrame(() => {
        this.#shownAt = performance.now();
        this.#timer = setTimeout(() => (this.isQuiet = false), QUIET_MS);
      });
    });
  }

  /** Starts to note presses, and waits again whenever the page becomes visible. Returns a function that ends this. */
  watch(): () => void {
    const began = (event: Event) => {
      if (!(event instanceof KeyboardEvent && event.repeat)) this.#beganAt = event.timeStamp;
    };
    const forget = () => (this.#beganAt = null);
    const options = { capture: true };
    addEventListener("pointerdown", began, options);
    addEventListener("keydown", began, options);
    addEventListener("pointercancel", forget, options);
    const end = onVisible(() => this.begin());
    return () => {
      removeEventListener("pointerdown", began, options);
      removeEventListener("keydown", began, options);
      removeEventListener("pointercancel", forget, options);
      end();
      clearTimeout(this.#timer);
      cancelAnimationFrame(this.#frame);
    };
  }

  /** Reports whether the press that ended in this click counts. */
  takes(click: MouseEvent): boolean {
    const at = Math.min(click.timeStamp, this.#beganAt ?? Infinity);
    this.#beganAt = null;
    return isMeant(at, this.#shownAt);
  }
}
