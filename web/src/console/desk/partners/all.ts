/** The most rows of a page. Nobody has more organisations than that, and no organisation more keys or members. */
const MOST = 100;

const query = { limit: MOST };

export const all = { params: { query } };
/** Asks for everything that an organisation has of a kind. */
export const allOf = (id: string) => ({ params: { path: { id }, query } });
