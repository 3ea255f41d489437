// Two presses of one tap: the first takes a row out of a list, and the second lands on what moved up under the finger.

/** People who mean another row press it later than this. */
export const APART_MS = 700;

/** The presses of one list, whose buttons share this. */
export class Apart {
  #pressedAt = -Infinity;

  /** Returns whether a press counts: the press before it was long enough ago. */
  takes({ timeStamp }: Pick<Event, "timeStamp">): boolean {
    const isTaken = timeStamp - this.#pressedAt >= APART_MS;
    this.#pressedAt = timeStamp;
    return isTaken;
  }
}
