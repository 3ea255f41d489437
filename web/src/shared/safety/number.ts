/** Phones everywhere know it, and connect it to the country's own number. */
export const EVERYWHERE = "112";
