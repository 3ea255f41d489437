// The contents of a chat, from pages, live messages and the answers to sent ones, independent of their transport.
import type { Schemas } from "../api/client";

export type Author = Schemas["ChatAuthor"];

/** A message that the service has stored. */
export interface Message {
  id: string;
  seq: number;
  /** The sender's id for it; guests don't get it back. */
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
  /** The mechanic whose chat it belongs to; guests see only the current one's. */
  mechanicId: string | null;
  /** When the other side read it. */
  readAt: string | null;
  at: string;
}

/** A message that a person wants to send. */
export interface Draft {
  type: Schemas["MessageType"];
  body?: string;
  fileUrl?: string;
  lat?: number;
  lng?: number;
}

/** A message that the service may not have yet. Its id stays the same over all attempts, so it arrives once. */
export interface Outgoing {
  clientId: string;
  draft: Draft;
  at: string;
  /** Why the service refused it; null while it is on its way. */
  refused: string | null;
}

export interface Page {
  messages: Message[];
  hasMore: boolean;
  isWritable: boolean;
  /** How far the other side has read, and how far this one, if known. */
  otherReadSeq: number;
  ownReadSeq: number;
  /**
   * Earlier messages belong to the chat with an earlier mechanic and are no longer read by anybody. Infinity while
   * nobody has the job.
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

/** Merges messages of any origin: each is kept once, in its newest form, and removed from the unsent ones. */
export function merge(state: ChatState, incoming: readonly Message[]): ChatState {
  if (incoming.length === 0) return state;
  const bySeq = new Map(state.messages.map((message) => [message.seq, message]));
  for (const message of incoming)
    bySeq.set(message.seq, { ...message, clientId: message.clientId ?? bySeq.get(message.seq)?.clientId ?? null });
  const messages = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const arrived = new Set(messages.flatMap(({ clientId }) => clientId ?? []));
  // The array stays the same unless a message arrived: another tab may store its own.
  const isAny = state.outgoing.some(({ clientId }) => arrived.has(clientId));
  return {
    ...state,
    messages,
    outgoing: isAny ? state.outgoing.filter(({ clientId }) => !arrived.has(clientId)) : state.outgoing,
  };
}

/** Adds the newest page, or the messages after the last known one. */
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

/** Queues a message again, with the same id, at the end. */
export function again(state: ChatState, clientId: string): ChatState {
  const one = state.outgoing.find((each) => each.clientId === clientId);
  return one ? queued(discarded(state, clientId), { ...one, refused: null }) : state;
}

export function discarded(state: ChatState, clientId: string): ChatState {
  return { ...state, outgoing: state.outgoing.filter((one) => one.clientId !== clientId) };
}

/** Notes that an image has been uploaded. */
export function uploaded(state: ChatState, clientId: string, fileUrl: string): ChatState {
  return change(state, clientId, (one) => ({ ...one, draft: { ...one.draft, fileUrl } }));
}

function change(state: ChatState, clientId: string, how: (one: Outgoing) => Outgoing): ChatState {
  return { ...state, outgoing: state.outgoing.map((one) => (one.clientId === clientId ? how(one) : one)) };
}

/**
 * Returns the first unsent message: they are sent one after the other, so that they arrive in the order in which they
 * were written.
 */
export function next(state: ChatState): Outgoing | null {
  return state.outgoing.find((one) => one.refused === null) ?? null;
}

/** Notes that the other side has read the messages that it sees, from the first of these events to the last. */
export function readByOther(state: ChatState, from: number, upTo: number, at: string): ChatState {
  const isNew = ({ isOwn, seq, readAt }: Message) => isOwn && readAt === null && seq >= from && seq <= upTo;
  const messages = state.messages.map((message) => (isNew(message) ? { ...message, readAt: at } : message));
  return { ...state, messages, otherReadSeq: Math.max(state.otherReadSeq, upTo) };
}

/** Reports whether the other side has read a message: nobody has read what they can't see. */
export function isRead(state: ChatState, { seq, readAt }: Message): boolean {
  return readAt !== null || (seq >= state.presentSince && seq <= state.otherReadSeq);
}

/** Reports whether a message belongs to the chat with a mechanic who no longer has the job. */
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
