/**
 * A question that may be asked again while an answer is on its way. Answers arrive in any order: only the answer to the
 * newest question counts.
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

  /** Declares the known value newer than all answers that are on their way. */
  overtake(): void {
    this.#turn += 1;
  }
}
