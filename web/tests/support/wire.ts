// A proxy that counts everything that a browser fetches, for pages and workers: fonts, icons, the API.
import { connect, createServer, type Server } from "node:net";
import { listen, stop } from "./listening";

export class Wire {
  /** Bytes from the service to the browser, including response headers. */
  received = 0;

  private constructor(
    /** The service's address for the browser, without a slash at the end. */
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async to(service: string): Promise<Wire> {
    const { hostname, port } = new URL(service);
    const server = createServer((browser) => {
      const behind = connect(Number(port), hostname);
      behind.on("data", (bytes) => (wire.received += bytes.length));
      browser.pipe(behind).pipe(browser);
      for (const end of [browser, behind]) {
        end.on("error", () => {
          browser.destroy();
          behind.destroy();
        });
      }
    });
    const wire = new Wire(`http://127.0.0.1:${await listen(server)}`, server);
    return wire;
  }

  close(): void {
    void stop(this.server);
  }
}
