import { expect, test } from "vitest";
import {
  again,
  arrived,
  discarded,
  isEarlier,
  isNamed,
  isRead,
  lastSeq,
  merge,
  next,
  nothing,
  older,
  opened,
  queued,
  readByOther,
  readByOwn,
  refused,
  unread,
  uploaded,
  type ChatState,
  type Message,
  type Page,
} from "../../../src/shared/chat/chat";

function message(seq: number, changes: Partial<Message> = {}): Message {
  return {
    id: `m${seq}`,
    seq,
    clientId: `c${seq}`,
    type: "text",
    body: `number ${seq}`,
    fileUrl: null,
    lat: null,
    lng: null,
    author: "mechanic",
    authorName: null,
    isOwn: false,
    isRemoved: false,
    mechanicId: "ravi",
    readAt: null,
    at: "2026-03-14T09:00:00Z",
    ...changes,
  };
}
const page = (messages: Message[], changes: Partial<Page> = {}): Page => ({
  messages,
  hasMore: false,
  isWritable: true,
  otherReadSeq: 0,
  ownReadSeq: 0,
  presentSince: 0,
  earlier: {},
  ...changes,
});
const write = (state: ChatState, clientId: string) =>
  queued(state, { clientId, draft: { type: "text", body: clientId }, at: "2026-03-14T09:00:00Z", refused: null });
const seqs = (state: ChatState) => state.messages.map(({ seq }) => seq);

test("messages are shown once and in the log's order, wherever they come from", () => {
  let state = opened(nothing, page([message(5), message(9)], { hasMore: true }), true);
  state = merge(state, [message(12), message(9)]);
  state = older(state, page([message(1), message(5)]));
  state = merge(state, [message(7)]);
  expect(seqs(state)).toEqual([1, 5, 7, 9, 12]);
  expect(state.hasOlder).toBe(false);
  expect(lastSeq(state)).toBe(12);
});

test("a message that was removed meanwhile takes the place of what it was", () => {
  const state = merge(merge(nothing, [message(1)]), [message(1, { isRemoved: true, body: null })]);
  expect(state.messages).toHaveLength(1);
  expect(state.messages[0]?.isRemoved).toBe(true);
});

test("what was sent is on the screen once, whether its answer or the message itself is first", () => {
  const own = message(3, { isOwn: true, clientId: "a" });
  let state = write(write(nothing, "a"), "b");
  expect(next(state)?.clientId).toBe("a");
  // The message arrives by the socket, then the answer.
  state = arrived(merge(state, [own]), "a", own);
  expect(seqs(state)).toEqual([3]);
  expect(state.outgoing.map(({ clientId }) => clientId)).toEqual(["b"]);
  // The answer was lost; a guest's messages come back without their client id.
  const second = message(4, { isOwn: true, clientId: null });
  state = merge(state, [second]);
  expect(state.outgoing).toHaveLength(1);
  state = arrived(state, "b", second);
  expect(seqs(state)).toEqual([3, 4]);
  expect(state.outgoing).toHaveLength(0);
  expect(merge(state, [second]).messages[1]?.clientId).toBe("b");
});

test("a message that is refused stops no other, and can be sent again or discarded", () => {
  let state = refused(write(write(nothing, "a"), "b"), "a", "The chat is closed.");
  expect(next(state)?.clientId).toBe("b");
  state = again(state, "a");
  expect(state.outgoing.map(({ clientId, refused }) => [clientId, refused])).toEqual([
    ["b", null],
    ["a", null],
  ]);
  state = discarded(state, "b");
  expect(next(state)?.clientId).toBe("a");
  expect(next(discarded(state, "a"))).toBeNull();
});

test("an uploaded image keeps its address for the next try", () => {
  const state = uploaded(
    queued(nothing, { clientId: "a", draft: { type: "image" }, at: "", refused: null }),
    "a",
    "https://x/file",
  );
  expect(next(state)?.draft).toEqual({ type: "image", fileUrl: "https://x/file" });
});

test("counts what others wrote and this side has not read; reading only goes on", () => {
  let state = opened(
    nothing,
    page([message(1), message(2, { isOwn: true }), message(3), message(4)], { ownReadSeq: 1, otherReadSeq: 2 }),
    true,
  );
  expect(unread(state)).toBe(2);
  state = readByOwn(state, 3);
  expect(unread(state)).toBe(1);
  state = readByOther(readByOther(state, 1, 5, "2026-03-14T09:01:00Z"), 1, 3, "2026-03-14T09:02:00Z");
  expect(state.otherReadSeq).toBe(5);
  expect(unread(opened(state, page([], { ownReadSeq: 1 }), false))).toBe(1);
});

test("a chat that is closed cannot be written to any more", () => {
  const state = opened(nothing, page([message(1)]), true);
  expect(state.isWritable).toBe(true);
  expect(opened(state, page([], { isWritable: false }), false).isWritable).toBe(false);
});

test("nobody has read what they can't see: each mechanic's chat is apart", () => {
  const read = "2026-03-14T09:01:00Z";
  const own = (seq: number, mechanicId: string) => message(seq, { isOwn: true, author: "customer", mechanicId });
  // Ravi read the first message and left before the second.
  let state = opened(nothing, page([own(4, "ravi"), own(6, "ravi")], { presentSince: 3 }), true);
  state = readByOther(state, 3, 4, read);
  const isReadBySeq = () => Object.fromEntries(state.messages.map((each) => [each.seq, isRead(state, each)]));
  expect(isReadBySeq()).toEqual({ 4: true, 6: false });
  // Nobody has the job.
  state = opened(state, page([], { isWritable: false, presentSince: Infinity, earlier: { ravi: "Ravi" } }), false);
  expect(isReadBySeq()).toEqual({ 4: true, 6: false });
  expect(state.messages.every((each) => isEarlier(state, each))).toBe(true);
  // Kiran has it, and reads everything that she sees.
  state = opened(state, page([], { presentSince: 9 }), false);
  state = readByOther(merge(state, [own(10, "kiran")]), 9, 12, read);
  expect(isReadBySeq()).toEqual({ 4: true, 6: false, 10: true });
  expect(state.messages.map((each) => isEarlier(state, each))).toEqual([true, true, false]);
  expect(state.earlier).toEqual({ ravi: "Ravi" });
});

test("the words of a third person are never shown as those of the other side", () => {
  const own = message(1, { author: "guest", isOwn: true });
  const ofMechanic = message(2);
  const code = message(3, { author: "customer", body: "The code is 4821" });
  const named = (...messages: Message[]) =>
    messages.filter((one) => isNamed(one, "mechanic", messages)).map(({ seq }) => seq);
  expect(named(own, ofMechanic)).toEqual([]);
  // Even if nobody else has written: the mechanic's name is above them.
  expect(named(own, code)).toEqual([3]);
  expect(named(own, ofMechanic, code)).toEqual([2, 3]);
});
