// Moves a marker from one reported place to the next, frame by frame.
import { glide, isOver, positionAt, type Glide, type Position } from "./glide";

/** A phone that draws a marker more often only gets warm. */
const BETWEEN_DRAWINGS_MS = 60;

export class Mover {
  #glide: Glide | null = null;
  #frame: number | null = null;
  #drawnAt = -Infinity;

  /** `show` gets every place that the marker is at. `isStill`: the person wants nothing to move by itself. */
  constructor(
    private readonly show: (at: Position) => void,
    private readonly isStill: () => boolean = () => matchMedia("(prefers-reduced-motion: reduce)").matches,
  ) {}

  /** Something was reported to be there. */
  report(at: Position): void {
    const now = performance.now();
    this.#glide = glide(this.#glide, at, now, this.isStill());
    this.#drawnAt = -Infinity;
    this.#draw(now);
  }

  /** Nothing is shown any more: what is reported next is where the marker begins. */
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
