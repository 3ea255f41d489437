/** Phones everywhere know this number, and connect it to the country's own. */
export const EVERYWHERE = "112";
