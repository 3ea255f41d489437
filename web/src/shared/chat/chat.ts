// What a chat shows, from pages, live messages and the answers to what was sent; nothing here knows how they travel.
import type { Schemas } from "../api/client";

export type Author = Schemas["ChatAuthor"];

/** A message that the service has. */
export interface Message {
  id: string;
  seq: number;
  /** The sender's name for it; guests don't get it back. */
  clientId: string | null;
  type: Schemas["MessageType"];
  body: string | null;
  fileUrl: string | null;
  lat: number | null;
  lng: number | null;
  author: Author;
  authorName: string | null;
  isOwn: boolean;
  isRemoved: boolean;
  /** The mechanic whose chat it belongs to; guests see only the present one's. */
  mechanicId: string | null;
  /** When the other side read it. */
  readAt: string | null;
  at: string;
}

/** What a person wants to send. */
export interface Draft {
  type: Schemas["MessageType"];
  body?: string;
  fileUrl?: string;
  lat?: number;
  lng?: number;
}

/** A message that the service may not have yet. It keeps its name over all tries, so it arrives once. */
export interface Outgoing {
  clientId: string;
  draft: Draft;
  at: string;
  /** Why the service did not take it; null while it is on its way. */
  refused: string | null;
}

export interface Page {
  messages: Message[];
  hasMore: boolean;
  isWritable: boolean;
  /** How far the other side has read, and how far this one, if that is known. */
  otherReadSeq: number;
  ownReadSeq: number;
  /**
   * What came before belongs to the chat with an earlier mechanic, whom nobody reads any more. Infinity while nobody
   * has the job.
   */
  presentSince: number;
  /** The first names of earlier mechanics, by id. */
  earlier: Readonly<Record<string, string | null>>;
}

export interface ChatState {
  /** In the order of the job's log. */
  messages: readonly Message[];
  outgoing: readonly Outgoing[];
  hasOlder: boolean;
  isWritable: boolean;
  otherReadSeq: number;
  ownReadSeq: number;
  presentSince: number;
  earlier: Readonly<Record<string, string | null>>;
}

export const nothing: ChatState = {
  messages: [],
  outgoing: [],
  hasOlder: false,
  isWritable: false,
  otherReadSeq: 0,
  ownReadSeq: 0,
  presentSince: 0,
  earlier: {},
};

/**
 * Returns whether a message must show its author's name: true for all messages but one's own and, where only the other
 * side writes, theirs, because their name is above the chat already.
 */
export function isNamed(message: Message, other: Author, messages: readonly Message[]): boolean {
  if (message.isOwn) return false;
  return message.author !== other || messages.some(({ isOwn, author }) => !isOwn && author !== other);
}

/** Messages from anywhere: each is kept once, in its newest form, and what was on its way has arrived. */
export function merge(state: ChatState, incoming: readonly Message[]): ChatState {
  if (incoming.length === 0) return state;
  const bySeq = new Map(state.messages.map((message) => [message.seq, message]));
  for (const message of incoming)
    bySeq.set(message.seq, { ...message, clientId: message.clientId ?? bySeq.get(message.seq)?.clientId ?? null });
  const messages = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const arrived = new Set(messages.flatMap(({ clientId }) => clientId ?? []));
  // The same array unless one arrived: another tab may keep its own.
  const isAny = state.outgoing.some(({ clientId }) => arrived.has(clientId));
  return {
    ...state,
    messages,
    outgoing: isAny ? state.outgoing.filter(({ clientId }) => !arrived.has(clientId)) : state.outgoing,
  };
}

/** The newest page, or what came after the last message that is known. */
export function opened(state: ChatState, page: Page, isNewest: boolean): ChatState {
  const merged = merge(state, page.messages);
  return {
    ...merged,
    hasOlder: isNewest && state.messages.length === 0 ? page.hasMore : state.hasOlder,
    isWritable: page.isWritable,
    otherReadSeq: page.otherReadSeq,
    ownReadSeq: Math.max(state.ownReadSeq, page.ownReadSeq),
    presentSince: page.presentSince,
    earlier: { ...state.earlier, ...page.earlier },
  };
}

export function older(state: ChatState, page: Page): ChatState {
  return { ...merge(state, page.messages), hasOlder: page.hasMore, earlier: { ...state.earlier, ...page.earlier } };
}

export function queued(state: ChatState, outgoing: Outgoing): ChatState {
  return { ...state, outgoing: [...state.outgoing, outgoing] };
}

export function arrived(state: ChatState, clientId: string, message: Message): ChatState {
  return merge({ ...state, outgoing: state.outgoing.filter((one) => one.clientId !== clientId) }, [
    { ...message, clientId },
  ]);
}

export function refused(state: ChatState, clientId: string, reason: string): ChatState {
  return change(state, clientId, (one) => ({ ...one, refused: reason }));
}

/** Tried again under the same name, at the end of the queue. */
export function again(state: ChatState, clientId: string): ChatState {
  const one = state.outgoing.find((each) => each.clientId === clientId);
  return one ? queued(discarded(state, clientId), { ...one, refused: null }) : state;
}

export function discarded(state: ChatState, clientId: string): ChatState {
  return { ...state, outgoing: state.outgoing.filter((one) => one.clientId !== clientId) };
}

/** An image has been uploaded. */
export function uploaded(state: ChatState, clientId: string, fileUrl: string): ChatState {
  return change(state, clientId, (one) => ({ ...one, draft: { ...one.draft, fileUrl } }));
}

function change(state: ChatState, clientId: string, how: (one: Outgoing) => Outgoing): ChatState {
  return { ...state, outgoing: state.outgoing.map((one) => (one.clientId === clientId ? how(one) : one)) };
}

/**
 * The first message that is on its way: they go one after the other, so that they arrive in the order they were
 * written.
 */
export function next(state: ChatState): Outgoing | null {
  return state.outgoing.find((one) => one.refused === null) ?? null;
}

/** The other side has read what it sees: from the first of these events to the last. */
export function readByOther(state: ChatState, from: number, upTo: number, at: string): ChatState {
  const isNew = ({ isOwn, seq, readAt }: Message) => isOwn && readAt === null && seq >= from && seq <= upTo;
  const messages = state.messages.map((message) => (isNew(message) ? { ...message, readAt: at } : message));
  return { ...state, messages, otherReadSeq: Math.max(state.otherReadSeq, upTo) };
}

/** Whether the other side has read a message: nobody has read what they can't see. */
export function isRead(state: ChatState, { seq, readAt }: Message): boolean {
  return readAt !== null || (seq >= state.presentSince && seq <= state.otherReadSeq);
}

/** Whether a message belongs to the chat with a mechanic who no longer has the job. */
export function isEarlier(state: ChatState, { seq }: Message): boolean {
  return seq < state.presentSince;
}

export function readByOwn(state: ChatState, upTo: number): ChatState {
  return { ...state, ownReadSeq: Math.max(state.ownReadSeq, upTo) };
}

export function unread(state: ChatState): number {
  return state.messages.filter((message) => !message.isOwn && message.seq > state.ownReadSeq).length;
}

export function lastSeq(state: ChatState): number {
  return state.messages.at(-1)?.seq ?? 0;
}
