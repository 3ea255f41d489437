import { expect, test } from "vitest";
import { idle, isFree, step, type CallEvent, type CallState, type SeenCall } from "../../../src/shared/call/call";
import { callStatus, clock } from "../../../src/shared/call/words";

function seen(changes: Partial<SeenCall> = {}): SeenCall {
  return {
    id: "call",
    place: "job",
    isIncoming: false,
    status: "ringing",
    endReason: null,
    answeredAt: null,
    expiresAt: null,
    isOthers: false,
    ...changes,
  };
}
const play = (events: CallEvent[], from: CallState = idle) => events.reduce(step, from);
const dialled: CallEvent[] = [
  { type: "dial", place: "job" },
  { type: "placed", call: seen() },
];
const rung: CallEvent[] = [{ type: "ringing", call: seen({ isIncoming: true }) }];
const accepted = (isIncoming: boolean): CallEvent => ({
  type: "updated",
  call: seen({ status: "accepted", isIncoming, answeredAt: "2026-03-14T09:00:00Z" }),
});

test("an own call rings there, is answered, and ends", () => {
  let state = play([...dialled, { type: "ringing", call: seen() }]);
  expect(state).toMatchObject({ phase: "ringing_there", callId: "call", isIncoming: false });
  state = play([accepted(false), { type: "connected", at: 1000 }], state);
  expect(state).toMatchObject({ phase: "talking", talkingSince: 1000 });
  state = play([{ type: "disconnected" }, { type: "connected", at: 9000 }], state);
  expect(state, "the time goes on after a break").toMatchObject({ phase: "talking", talkingSince: 1000 });
  state = play(
    [{ type: "updated", call: seen({ status: "ended", endReason: "callee_hung_up", answeredAt: "x" }) }],
    state,
  );
  expect(state).toMatchObject({ phase: "ended", end: "hung_up" });
  expect(play([{ type: "dismiss" }], state)).toEqual(idle);
});

test("ringing may be known before the service has answered the call itself", () => {
  const state = play([
    { type: "dial", place: "job" },
    { type: "ringing", call: seen() },
  ]);
  expect(state).toMatchObject({ phase: "ringing_there", callId: "call" });
  expect(play([{ type: "placed", call: seen() }], state).phase).toBe("ringing_there");
});

test("an incoming call is answered here, or elsewhere", () => {
  expect(play([...rung, { type: "answer" }, accepted(true)]).phase).toBe("connecting");
  expect(play([...rung, accepted(true)])).toMatchObject({ phase: "ended", end: "elsewhere" });
  const byGuest: CallEvent = { type: "updated", call: seen({ status: "accepted", isIncoming: true, isOthers: true }) };
  expect(play([...rung, { type: "answer" }, byGuest])).toMatchObject({ phase: "ended", end: "elsewhere" });
  expect(play([...rung, { type: "answer" }, { type: "not_answered" }]).phase).toBe("incoming");
});

test("why a call is over depends on the side", () => {
  const over = (changes: Partial<SeenCall>): CallEvent => ({
    type: "updated",
    call: seen({ status: "missed", ...changes }),
  });
  expect(play([...dialled, over({ endReason: "no_answer" })]).end).toBe("no_answer");
  expect(play([...rung, over({ endReason: "no_answer", isIncoming: true })]).end).toBe("missed");
  expect(play([...rung, over({ endReason: "caller_hung_up", isIncoming: true })]).end).toBe("missed");
  expect(play([...dialled, over({ endReason: "declined" })]).end).toBe("declined");
  expect(play([...rung, over({ endReason: "declined", isIncoming: true })]).end).toBe("declined_here");
  expect(
    play([...dialled, accepted(false), over({ status: "ended", endReason: "job_over", answeredAt: "x" })]).end,
  ).toBe("job_over");
  expect(
    play([...dialled, accepted(false), over({ status: "ended", endReason: "reassigned", answeredAt: "x" })]).end,
  ).toBe("reassigned");
  expect(
    play([...dialled, accepted(false), over({ status: "ended", endReason: "max_length", answeredAt: "x" })]).end,
  ).toBe("too_long");
});

test("other calls change nothing", () => {
  const state = play(dialled);
  expect(
    play(
      [
        { type: "updated", call: seen({ id: "another", status: "ended" }) },
        { type: "ringing", call: seen({ id: "another", isIncoming: true }) },
      ],
      state,
    ),
  ).toEqual(state);
  expect(
    play([{ type: "ringing", call: seen({ isIncoming: true, isOthers: true }) }]),
    "one that rings only for guests",
  ).toEqual(idle);
  expect(play([{ type: "ringing", call: seen({ isIncoming: true, status: "missed" }) }]), "one that is over").toEqual(
    idle,
  );
  expect(play([{ type: "dial", place: "job" }], play(rung)), "no call while one rings").toEqual(play(rung));
});

test("what comes too late changes nothing", () => {
  const over = play([...dialled, { type: "over", end: "hung_up" }]);
  expect(isFree(over)).toBe(true);
  expect(
    play(
      [accepted(false), { type: "connected", at: 1 }, { type: "disconnected" }, { type: "over", end: "connection" }],
      over,
    ),
  ).toEqual(over);
});

test("a call says how it ended, and its clock counts whole seconds", () => {
  expect(callStatus({ phase: "ended", end: "no_answer" })).not.toBe(callStatus({ phase: "ended", end: "hung_up" }));
  // The component that shows it has the explanation.
  expect(callStatus({ phase: "ended", end: "impossible" })).toBe("");
  expect([clock(-5), clock(9_999), clock(61_000), clock(3_600_000)]).toEqual(["0:00", "0:09", "1:01", "60:00"]);
});
