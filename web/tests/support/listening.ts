// Servers within the tests: on a free port, and stopped though browsers keep their connections.
import { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Starts to listen on a free port of 127.0.0.1, which it returns. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return (server.address() as AddressInfo).port;
}

/** Stops the server, and closes the connections that browsers and the service keep for later. */
export function stop(server: Server): Promise<void> {
  return new Promise((stopped) => {
    server.close(() => stopped());
    if (server instanceof HttpServer) server.closeAllConnections();
  });
}
