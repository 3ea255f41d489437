/** How large a picture is shown, where 1 fits it in. */
export const ZOOMS = [1, 1.5, 2, 3, 4, 6];

/** Which of `ZOOMS` comes so many steps after another. */
export const zoomed = (step: number, by: number): number => Math.max(0, Math.min(ZOOMS.length - 1, step + by));
