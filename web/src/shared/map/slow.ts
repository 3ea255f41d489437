// Decides whether a map is too much for the connection: it is larger than all pages of an app together.

/** The browser's information about the network (Network Information API); some browsers give none. */
export interface Connection {
  /** The speed of recent requests, named after the mobile network that is usually as fast. */
  readonly effectiveType?: string;
  /** Whether the person asked for little data. */
  readonly saveData?: boolean;
}

export function isSlow(connection: Connection | undefined): boolean {
  if (connection === undefined) return false;
  return connection.saveData === true || ["slow-2g", "2g", "3g"].includes(connection.effectiveType ?? "");
}

export const connection = (): Connection | undefined =>
  (navigator as Navigator & { connection?: Connection }).connection;
