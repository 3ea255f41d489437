/**
 * One question that is asked again while an answer to it is on its way. Answers come in any order: that of the newest
 * question counts, and no other.
 */
export class Newest {
  #turn = 0;

  /** Passes the answer to `take`, or the error to `fail`, if it counts; returns whether it does. */
  async ask<T>(
    request: () => Promise<T>,
    take: (answer: T) => void,
    fail: (error: unknown) => void = () => {},
  ): Promise<boolean> {
    const turn = (this.#turn += 1);
    const pass = await request().then(
      (answer) => () => take(answer),
      (error: unknown) => () => fail(error),
    );
    const counts = turn === this.#turn;
    if (counts) pass();
    return counts;
  }

  /** What is known now is newer than any answer that is on its way. */
  overtake(): void {
    this.#turn += 1;
  }
}
