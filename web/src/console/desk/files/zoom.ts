/** The sizes in which a picture is shown; at 1 it fits. */
export const ZOOMS = [1, 1.5, 2, 3, 4, 6];

/** Returns the index of the zoom that is `by` steps after another. */
export const zoomed = (step: number, by: number): number => Math.max(0, Math.min(ZOOMS.length - 1, step + by));
