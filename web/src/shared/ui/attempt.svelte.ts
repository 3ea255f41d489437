// A button's request to the service: busy, or refused.
export class Attempt {
  busy = $state(false);
  error: unknown = $state.raw(null);

  /** Does nothing while it is busy. Returns whether it succeeded. */
  run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (this.busy) return false;
    this.busy = true;
    this.error = null;
    try {
      await work();
      return true;
    } catch (error) {
      this.error = error;
      return false;
    } finally {
      this.busy = false;
    }
  };
}
