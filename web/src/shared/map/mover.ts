// Moves a marker from one reported place to the next, frame by frame.
import { glide, isOver, positionAt, type Glide, type Position } from "./glide";

/** Drawing a marker more often only heats up the phone. */
const BETWEEN_DRAWINGS_MS = 60;

export class Mover {
  #glide: Glide | null = null;
  #frame: number | null = null;
  #drawnAt = -Infinity;

  /** `show` is called with every position of the marker. `isStill`: the person prefers reduced motion. */
  constructor(
    private readonly show: (at: Position) => void,
    private readonly isStill: () => boolean = () => matchMedia("(prefers-reduced-motion: reduce)").matches,
  ) {}

  /** Takes a reported position. */
  report(at: Position): void {
    const now = performance.now();
    this.#glide = glide(this.#glide, at, now, this.isStill());
    this.#drawnAt = -Infinity;
    this.#draw(now);
  }

  /** Ends the display: the marker starts at the next reported position. */
  end(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = this.#glide = null;
  }

  #draw(now: number): void {
    if (this.#glide === null) return;
    const isDone = isOver(this.#glide, now);
    if (isDone || now - this.#drawnAt >= BETWEEN_DRAWINGS_MS) {
      this.#drawnAt = now;
      this.show(positionAt(this.#glide, now));
    }
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = isDone ? null : requestAnimationFrame(() => this.#draw(performance.now()));
  }
}
