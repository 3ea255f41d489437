// How a chat's messages are transmitted: for people with an account, and for the guest of a share link.
import { answer, api, type Schemas } from "../api/client";
import { NoAnswer } from "../api/errors";
import { socket } from "../api/socket.svelte";
import type { GuestStream } from "../track/stream.svelte";
import type { Draft, Message, Page } from "./chat";

const PAGE = 50;

export interface Listener {
  message(message: Message): void;
  /** Called when something has changed; `load` returns the new state. */
  changed(): void;
  /** Called when the other side has read its messages, from the first of these events to the last. */
  read(fromSeq: number, upToSeq: number, at: string): void;
  /** Called when this side has read messages on another device. */
  readHere(upToSeq: number): void;
  typing(): void;
}

export interface Transport {
  /**
   * The name under which this device stores unsent messages. Null for guests: their only name is the link's secret.
   */
  keptAs: string | null;
  /** The side that this one writes to. */
  other: Schemas["ChatSide"];
  /** Whether this side sends and sees images; guests do not. */
  hasImages: boolean;
  load(where: { before_seq?: number; since_seq?: number }): Promise<Page>;
  send(clientId: string, draft: Draft): Promise<Message>;
  /** Null if the service does not store it. */
  read: ((upToSeq: number) => Promise<unknown>) | null;
  typing: (() => void) | null;
  /** Returns a function that ends this. */
  listen(listener: Listener): () => void;
}

/** Returns the chat of a job for one of its two sides. */
export function accountChat(jobId: string, side: Schemas["ChatSide"]): Transport {
  const path = { path: { id: jobId } };
  const message = (raw: Schemas["Message"]): Message => ({
    id: raw.id,
    seq: raw.seq,
    clientId: raw.client_message_id,
    type: raw.type,
    body: raw.body ?? null,
    fileUrl: raw.file_url ?? null,
    lat: raw.lat ?? null,
    lng: raw.lng ?? null,
    author: raw.sender,
    authorName: raw.sender_name ?? null,
    isOwn: raw.sender === side,
    isRemoved: raw.is_removed,
    mechanicId: raw.mechanic_profile_id,
    readAt: raw.read_at ?? null,
    at: raw.created_at,
  });
  return {
    keptAs: jobId,
    other: side === "customer" ? "mechanic" : "customer",
    hasImages: true,
    async load(where) {
      const page = await answer(
        api.GET("/jobs/{id}/messages", { params: { ...path, query: { ...where, limit: PAGE } } }),
      );
      const [own, other] =
        side === "customer"
          ? [page.customer_read_seq, page.mechanic_read_seq]
          : [page.mechanic_read_seq, page.customer_read_seq];
      return {
        messages: page.data.map(message),
        hasMore: page.has_more,
        isWritable: page.is_writable,
        ownReadSeq: own,
        otherReadSeq: other,
        // A mechanic sees only their own chat.
        presentSince: side === "mechanic" ? 0 : (page.mechanic_first_seq ?? Infinity),
        earlier: Object.fromEntries(
          page.earlier_mechanics.map(({ mechanic_profile_id, first_name }) => [
            mechanic_profile_id,
            first_name ?? null,
          ]),
        ),
      };
    },
    async send(clientId, { type, body, fileUrl, lat, lng }) {
      const sent = {
        client_message_id: clientId,
        type,
        body: body ?? null,
        file_url: fileUrl ?? null,
        lat: lat ?? null,
        lng: lng ?? null,
      };
      if (socket.state === "open") return message(await socket.command("chat.send", { job_id: jobId, ...sent }));
      return message(await answer(api.POST("/jobs/{id}/messages", { params: path, body: sent })));
    },
    read(upToSeq) {
      if (socket.state === "open") return socket.command("chat.read", { job_id: jobId, up_to_seq: upToSeq });
      return answer(api.POST("/jobs/{id}/messages/read", { params: path, body: { up_to_seq: upToSeq } }));
    },
    typing() {
      socket.command("chat.typing", { job_id: jobId }).catch(() => {});
    },
    listen(listener) {
      let standing: string | null = null;
      const standingOf = ({ status, mechanic_profile_id }: Schemas["Job"]) => `${status} ${mechanic_profile_id ?? ""}`;
      return socket.follow(jobId, (frame) => {
        if (frame.type === "chat.message") listener.message(message(frame.data as Schemas["Message"]));
        else if (frame.type === "job.snapshot") {
          standing = standingOf(frame.data as Schemas["Job"]);
          listener.changed();
        } else if (frame.type === "job.updated") {
          const now = standingOf(frame.data as Schemas["Job"]);
          if (now !== standing) listener.changed();
          standing = now;
        } else if (frame.type === "chat.read") {
          const { reader, from_seq, up_to_seq, at } = frame.data as Schemas["ChatRead"];
          if (reader === side) listener.readHere(up_to_seq);
          else listener.read(from_seq, up_to_seq, at);
        } else if (frame.type === "chat.typing") listener.typing();
      });
    },
  };
}

/** Returns the chat with a job's mechanic for the guest of a link. */
export function guestChat(token: string, stream: GuestStream): Transport {
  const path = { path: { token } };
  const message = (raw: Schemas["SharedMessage"]): Message => ({
    id: raw.id,
    seq: raw.seq,
    clientId: null,
    type: raw.type,
    body: raw.body ?? null,
    fileUrl: null,
    lat: raw.lat ?? null,
    lng: raw.lng ?? null,
    author: raw.sender,
    authorName: raw.sender_name ?? null,
    isOwn: raw.is_own,
    isRemoved: raw.is_removed,
    mechanicId: null,
    readAt: null,
    at: raw.created_at,
  });
  return {
    keptAs: null,
    other: "mechanic",
    hasImages: false,
    async load(where) {
      const page = await answer(
        api.GET("/shares/{token}/messages", { params: { ...path, query: { ...where, limit: PAGE } } }),
      );
      return {
        messages: page.data.map(message),
        hasMore: page.has_more,
        isWritable: page.is_writable,
        ownReadSeq: 0,
        otherReadSeq: 0,
        presentSince: 0,
        earlier: {},
      };
    },
    async send(clientId, { type, body, lat, lng }) {
      if (type === "image") throw new NoAnswer("Guests send no images.");
      const sent = { client_message_id: clientId, type, body: body ?? null, lat: lat ?? null, lng: lng ?? null };
      return message(await answer(api.POST("/shares/{token}/messages", { params: path, body: sent })));
    },
    read: null,
    typing: null,
    listen: (listener) => stream.on("changed", () => listener.changed()),
  };
}
