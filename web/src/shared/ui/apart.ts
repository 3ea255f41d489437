// Tells two presses of a double tap apart: the first removes a list row, and the second hits the row that moved up.

/** People who mean another row press it later than this. */
export const APART_MS = 700;

/** The presses of one list, shared by its buttons. */
export class Apart {
  #pressedAt = -Infinity;

  /** Reports whether a press counts: the previous one must have been long enough ago. */
  takes({ timeStamp }: Pick<Event, "timeStamp">): boolean {
    const isTaken = timeStamp - this.#pressedAt >= APART_MS;
    this.#pressedAt = timeStamp;
    return isTaken;
  }
}
