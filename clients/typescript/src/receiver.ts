/** A receiver for trying webhooks on this machine; it needs Node. */
import { createServer, type IncomingMessage, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dataOf, type Schemas, type Server } from "./index.js";
import { InvalidWebhook, verify, type WebhookEvent } from "./webhooks.js";

/** A server that receives the deliveries of its subscription. A delivery that comes again is given once. */
export class Receiver {
  secret = "";
  readonly url: string;
  readonly #server: HttpServer;
  readonly #seen = new Set<string>();
  readonly #events: WebhookEvent[] = [];
  #wake: () => void = () => {};
  #subscribed: { partner: Server; id: string } | undefined;

  /** `name` is the name by which the server reaches this machine, if it is not the same one. Others reach the receiver then, too. */
  static async open(port = 0, name?: string): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, name ? "0.0.0.0" : "127.0.0.1", resolve));
    return new Receiver(server, name || "127.0.0.1");
  }

  private constructor(server: HttpServer, name: string) {
    this.#server = server;
    this.url = `http://${name}:${(server.address() as AddressInfo).port}/`;
    server.on("request", async (request, response) => {
      const { status, body } = await this.#take(request);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  }

  /** Makes a subscription of this address, which lasts as long as the receiver, and verifies it. */
  async subscribe(partner: Server, options: Omit<Schemas["NewSubscription"], "url"> = {}): Promise<void> {
    const { id, secret } = await dataOf(partner.POST("/partner/subscriptions", { body: { url: this.url, ...options } }));
    this.#subscribed = { partner, id };
    this.secret = secret;
    await dataOf(partner.POST("/partner/subscriptions/{id}/verify", { params: { path: { id } } }));
  }

  /** Yields events as they come. */
  async *events(): AsyncGenerator<WebhookEvent, undefined, undefined> {
    for (;;) {
      const event = this.#events.shift();
      if (event) yield event;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async close(): Promise<void> {
    if (this.#subscribed) {
      const { partner, id } = this.#subscribed;
      await dataOf(partner.DELETE("/partner/subscriptions/{id}", { params: { path: { id } } }));
    }
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      const event = verify(this.secret, request.headers, Buffer.concat(chunks).toString());
      if (event.type === "webhook.verify") return { status: 200, body: { challenge: event.data["challenge"] } };
      this.#keep(String(request.headers["webhook-id"]), event);
      return { status: 200, body: {} };
    } catch (error) {
      if (error instanceof InvalidWebhook) return { status: 400, body: { error: error.message } };
      return { status: 500, body: {} };
    }
  }

  #keep(id: string, event: WebhookEvent): void {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#events.push(event);
    this.#wake();
  }
}
