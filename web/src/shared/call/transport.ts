// How calls are transmitted: for people with an account, and for the guest of a share link.
import { answer, api, type Schemas } from "../api/client";
import type { GuestStream } from "../track/stream.svelte";
import { session } from "../api/session.svelte";
import { socket } from "../api/socket.svelte";
import type { SeenCall } from "./call";

export interface Listener {
  ringing(call: SeenCall): void;
  updated(call: SeenCall): void;
  signal(callId: string, payload: unknown): void;
}

export interface CallTransport {
  /** Whether a token is available before the call: a guest gets one only for an existing call. */
  hasTokenBefore: boolean;
  token(place: string): Promise<Schemas["CallToken"]>;
  invite(place: string): Promise<SeenCall>;
  /** Returns the newest call that is not over. */
  current(place: string): Promise<SeenCall | null>;
  accept(id: string): Promise<SeenCall>;
  reject(id: string): Promise<SeenCall>;
  end(id: string): Promise<SeenCall>;
  /** Reports that the call rings here. */
  rings(id: string): void;
  /** Returns whether the other device received it. */
  signal(id: string, payload: unknown): Promise<boolean>;
  /** Returns a function that ends this. */
  listen(listener: Listener): () => void;
}

/** Returns the calls about all jobs of the signed-in person. */
export function accountCalls(): CallTransport {
  const seen = (call: Schemas["Call"]): SeenCall => {
    const isIncoming = call.callee_id === session.userId;
    return {
      id: call.id,
      place: call.job_id,
      isIncoming,
      status: call.status,
      endReason: call.end_reason ?? null,
      answeredAt: call.answered_at ?? null,
      expiresAt: call.expires_at ?? null,
      isOthers: isIncoming ? call.answered_by_guest : call.caller_is_guest,
    };
  };
  const act = async (what: "accept" | "reject" | "end", id: string) => {
    if (socket.state === "open") return seen(await socket.command(`call.${what}`, { call_id: id }));
    return seen(await answer(api.POST(`/calls/{id}/${what}`, { params: { path: { id } } })));
  };
  return {
    hasTokenBefore: true,
    token: (place) => answer(api.POST("/jobs/{id}/calls/token", { params: { path: { id: place } } })),
    async invite(place) {
      if (socket.state === "open") return seen(await socket.command("call.invite", { job_id: place }));
      return seen(await answer(api.POST("/jobs/{id}/calls", { params: { path: { id: place } } })));
    },
    async current(place) {
      const { data } = await answer(
        api.GET("/jobs/{id}/calls", { params: { path: { id: place }, query: { limit: 1 } } }),
      );
      const [newest] = data;
      if (!newest || newest.ended_at !== null) return null;
      const call = seen(newest);
      // It rings only for the guests of links.
      return call.isIncoming && newest.rings === "guests" ? null : call;
    },
    accept: (id) => act("accept", id),
    reject: (id) => act("reject", id),
    end: (id) => act("end", id),
    rings(id) {
      socket.command("call.ringing", { call_id: id }).catch(() => {});
    },
    async signal(id, payload) {
      return (await socket.command("call.signal", { call_id: id, payload })).delivered;
    },
    listen({ ringing, updated, signal }) {
      const ends = [
        socket.on("call.ringing", ({ data }) => ringing(seen(data))),
        socket.on("call.updated", ({ data }) => updated(seen(data))),
        socket.on("call.signal", ({ data }) => signal(data.call_id, data.payload)),
      ];
      return () => ends.forEach((end) => end());
    },
  };
}

/** Returns the calls with the job's mechanic for the guest of a link. Every `place` is this link. */
export function guestCalls(token: string, stream: GuestStream): CallTransport {
  const path = { token };
  const seen = (call: Schemas["SharedCall"]): SeenCall => ({
    id: call.id,
    place: token,
    isIncoming: call.is_incoming,
    status: call.status,
    endReason: call.end_reason ?? null,
    answeredAt: call.answered_at ?? null,
    expiresAt: call.expires_at ?? null,
    isOthers: false,
  });
  const current = async () => {
    // The route answers with a page to browsers that ask for one, else with JSON.
    const { call } = (await answer(api.GET("/shares/{token}", { params: { path } }))) as Schemas["SharedJob"];
    return call ? seen(call) : null;
  };
  const act = async (what: "accept" | "reject" | "end", id: string) =>
    seen(await answer(api.POST(`/shares/{token}/calls/{id}/${what}`, { params: { path: { token, id } } })));
  return {
    hasTokenBefore: false,
    token: () => answer(api.POST("/shares/{token}/calls/token", { params: { path } })),
    invite: async () => seen(await answer(api.POST("/shares/{token}/calls", { params: { path } }))),
    current,
    accept: (id) => act("accept", id),
    reject: (id) => act("reject", id),
    end: (id) => act("end", id),
    rings() {},
    async signal(id, payload) {
      return (
        await answer(
          api.POST("/shares/{token}/calls/{id}/signal", { params: { path: { token, id } }, body: { payload } }),
        )
      ).delivered;
    },
    listen({ ringing, updated, signal }) {
      /** The last call that this page showed: a call that is over is no longer part of the shared job. */
      let known: SeenCall | null = null;
      const look = async () => {
        const call = await current().catch(() => undefined);
        if (call === undefined) return;
        if (call === null && known !== null) {
          const unanswered = known.isIncoming ? "caller_hung_up" : "no_answer";
          updated({ ...known, status: "ended", endReason: known.status === "ringing" ? unanswered : null });
        } else if (call !== null)
          (call.isIncoming && call.status === "ringing" && call.id !== known?.id ? ringing : updated)(call);
        known = call;
      };
      const ends = [
        stream.on("changed", () => void look()),
        stream.on("call.ringing", (call) => {
          known = seen(call);
          ringing(known);
        }),
        stream.on("call.signal", ({ call_id, payload }) => signal(call_id, payload)),
        stream.on("ended", () => known !== null && updated({ ...known, status: "ended", endReason: "job_over" })),
      ];
      return () => ends.forEach((end) => end());
    },
  };
}
