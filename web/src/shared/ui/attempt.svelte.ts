// A button's request to the service: busy, or refused.
export class Attempt {
  /** The button that was pressed, of several that share this; null while nothing is under way. */
  pressed: string | null = $state(null);
  error: unknown = $state.raw(null);

  get busy(): boolean {
    return this.pressed !== null;
  }

  /** Does nothing while it is busy. Returns whether it succeeded. */
  run = async (work: () => Promise<unknown>, button = ""): Promise<boolean> => {
    if (this.busy) return false;
    this.pressed = button;
    this.error = null;
    try {
      await work();
      return true;
    } catch (error) {
      this.error = error;
      return false;
    } finally {
      this.pressed = null;
    }
  };
}
