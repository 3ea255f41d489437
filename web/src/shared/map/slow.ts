// Whether a map is too much for the connection: it is more than all pages of an app together.

/** What browsers tell of the network (Network Information API); some tell nothing. */
export interface Connection {
  /** How fast the last requests were, by the mobile network that is usually as fast. */
  readonly effectiveType?: string;
  /** The person asked for little data. */
  readonly saveData?: boolean;
}

export function isSlow(connection: Connection | undefined): boolean {
  if (connection === undefined) return false;
  return connection.saveData === true || ["slow-2g", "2g", "3g"].includes(connection.effectiveType ?? "");
}

export const connection = (): Connection | undefined =>
  (navigator as Navigator & { connection?: Connection }).connection;
