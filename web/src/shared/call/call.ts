// The course of a call as one device sees it: what has happened, and what the screen shows.
import type { Schemas } from "../api/client";

/** A call as the service reports it, seen from this side. */
export interface SeenCall {
  id: string;
  /** The job, or for a guest the link. */
  place: string;
  /** Whether it rings on this side. */
  isIncoming: boolean;
  status: Schemas["CallStatus"];
  endReason: Schemas["EndReason"] | null;
  answeredAt: string | null;
  expiresAt: string | null;
  /** Whether somebody else on this side made or answered it, such as a guest in place of the customer. */
  isOthers: boolean;
}

export type Phase =
  "idle" | "calling" | "ringing_there" | "incoming" | "answering" | "connecting" | "talking" | "reconnecting" | "ended";

export type End =
  | "hung_up"
  | "declined"
  | "declined_here"
  | "no_answer"
  | "missed"
  | "elsewhere"
  | "job_over"
  | "reassigned"
  | "too_long"
  | "connection"
  /** No microphone, or the service refused; the component that shows it has the explanation. */
  | "impossible";

export interface CallState {
  phase: Phase;
  place: string | null;
  /** Null until the service has answered. */
  callId: string | null;
  isIncoming: boolean;
  /** When the two sides were first connected, in milliseconds. */
  talkingSince: number | null;
  expiresAt: string | null;
  end: End | null;
}

export const idle: CallState = {
  phase: "idle",
  place: null,
  callId: null,
  isIncoming: false,
  talkingSince: null,
  expiresAt: null,
  end: null,
};

export type CallEvent =
  | { type: "dial"; place: string }
  /** The service has accepted the person's own call. */
  | { type: "placed"; call: SeenCall }
  /** The call rings: here, or for an own call on the other side. */
  | { type: "ringing"; call: SeenCall }
  | { type: "updated"; call: SeenCall }
  /** The person answers; the service has not confirmed it yet. */
  | { type: "answer" }
  /** Answering failed, but may be tried again. */
  | { type: "not_answered" }
  | { type: "connected"; at: number }
  | { type: "disconnected" }
  | { type: "over"; end: End }
  | { type: "dismiss" };

/** Reports whether another call can begin on this device. */
export function isFree(state: CallState): boolean {
  return state.phase === "idle" || state.phase === "ended";
}

export function step(state: CallState, event: CallEvent): CallState {
  switch (event.type) {
    case "dial":
      return isFree(state) ? { ...idle, phase: "calling", place: event.place } : state;
    case "placed":
      if (state.phase !== "calling" && state.phase !== "ringing_there") return state;
      return updated({ ...state, callId: event.call.id, expiresAt: event.call.expiresAt }, event.call);
    case "ringing":
      return ringing(state, event.call);
    case "updated":
      return event.call.id === state.callId ? updated(state, event.call) : state;
    case "answer":
      return state.phase === "incoming" ? { ...state, phase: "answering" } : state;
    case "not_answered":
      return state.phase === "answering" ? { ...state, phase: "incoming" } : state;
    case "connected":
      if (state.phase !== "connecting" && state.phase !== "reconnecting") return state;
      return { ...state, phase: "talking", talkingSince: state.talkingSince ?? event.at };
    case "disconnected":
      return state.phase === "talking" ? { ...state, phase: "reconnecting" } : state;
    case "over":
      return isFree(state) ? state : ended(state, event.end);
    case "dismiss":
      return state.phase === "ended" ? idle : state;
  }
}

function ringing(state: CallState, call: SeenCall): CallState {
  if (call.status !== "ringing") return state;
  if (!call.isIncoming) {
    const isOwn = state.callId === call.id || (state.callId === null && state.place === call.place);
    return state.phase === "calling" && isOwn
      ? { ...state, phase: "ringing_there", callId: call.id, expiresAt: call.expiresAt }
      : state;
  }
  // Both sides called at once: the other side's call counts, and is answered when the own one is refused.
  if (call.isOthers || !isFree(state)) return state;
  return {
    ...idle,
    phase: "incoming",
    place: call.place,
    callId: call.id,
    isIncoming: true,
    expiresAt: call.expiresAt,
  };
}

function updated(state: CallState, call: SeenCall): CallState {
  switch (call.status) {
    case "ringing":
      return state;
    case "accepted":
      if (state.phase === "calling" || state.phase === "ringing_there" || state.phase === "answering") {
        return call.isIncoming && call.isOthers
          ? ended(state, "elsewhere")
          : { ...state, phase: "connecting", expiresAt: call.expiresAt };
      }
      return state.phase === "incoming" ? ended(state, "elsewhere") : state;
    default:
      return isFree(state) ? state : ended(state, reason(state, call));
  }
}

function reason(state: CallState, call: SeenCall): End {
  switch (call.endReason) {
    case "declined":
      return state.isIncoming ? "declined_here" : "declined";
    case "no_answer":
      return state.isIncoming ? "missed" : "no_answer";
    case "caller_hung_up":
      return state.isIncoming && call.answeredAt === null ? "missed" : "hung_up";
    case "job_over":
      return "job_over";
    case "reassigned":
      return "reassigned";
    case "max_length":
      return "too_long";
    default:
      return "hung_up";
  }
}

function ended(state: CallState, end: End): CallState {
  return { ...state, phase: "ended", end };
}
