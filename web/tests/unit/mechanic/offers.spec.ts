// Offers on the screen: which one is shown, and how the others ended.
import { expect, test } from "vitest";
import {
  afterPress,
  apply,
  isMeant,
  leftMs,
  leftShare,
  NO_OFFERS,
  QUIET_MS,
  shown,
  whyRefused,
  type Event,
  type Offer,
  type Offers,
} from "../../../src/mechanic/offers/offers";

const NOW = Date.parse("2026-03-14T08:00:00Z");

function offer(id: string, seconds = 20, status: Offer["status"] = "pending"): Offer {
  return {
    id,
    job_id: `job-${id}`,
    status,
    created_at: new Date(NOW).toISOString(),
    expires_at: new Date(NOW + seconds * 1000).toISOString(),
  } as Offer;
}

function after(...events: Event[]): Offers {
  return events.reduce(apply, NO_OFFERS);
}

const created = (id: string, seconds?: number): Event => ({ kind: "created", offer: offer(id, seconds) });

test("the offer that ends first is shown, and stays on the screen while it is answered", () => {
  const two = after(created("late", 30), created("soon", 10));
  expect(shown(two)?.id).toBe("soon");
  const answering = apply(two, { kind: "chosen", offerId: "late", answer: "accept" });
  expect(shown(answering)?.id).toBe("late");
});

test("the same offer again, as after a reconnection, is one offer", () => {
  expect(after(created("a"), created("a")).open).toHaveLength(1);
  expect(after({ kind: "created", offer: offer("a", 20, "expired") }).open).toHaveLength(0);
});

test("an offer ends by the service's word or by its time", () => {
  expect(after(created("a"), { kind: "expired", offer: offer("a") }).last).toMatchObject({ why: "expired" });
  const timed = after(created("a", 10), { kind: "tick", now: NOW + 9_999 });
  expect(shown(timed)?.id).toBe("a");
  expect(apply(timed, { kind: "tick", now: NOW + 10_000 })).toMatchObject({ open: [], last: { why: "expired" } });
});

test("a revoked offer says whether this mechanic answered it on another device", () => {
  expect(after(created("a"), { kind: "revoked", offer: offer("a", 20, "revoked") }).last?.why).toBe("revoked");
  expect(after(created("a"), { kind: "revoked", offer: offer("a", 20, "declined") }).last?.why).toBe(
    "answered_elsewhere",
  );
});

test("while an acceptance is on its way, nothing else decides what became of it", () => {
  const answering = after(created("a", 10), { kind: "chosen", offerId: "a", answer: "accept" }, { kind: "unanswered" });
  expect(answering.choice?.state).toBe("unknown");
  for (const event of [
    { kind: "expired", offer: offer("a") },
    { kind: "revoked", offer: offer("a", 10, "revoked") },
    { kind: "tick", now: NOW + 60_000 },
    { kind: "listed", offers: [], openBefore: ["a"] },
  ] satisfies Event[]) {
    expect(shown(apply(answering, event))?.id).toBe("a");
  }
  expect(apply(answering, { kind: "settled", offerId: "a", why: "taken" })).toMatchObject({
    open: [],
    choice: null,
    last: { why: "taken" },
  });
});

test("one answer at a time, and none to an offer that is gone", () => {
  const answering = after(created("a"), created("b"), { kind: "chosen", offerId: "a", answer: "accept" });
  expect(apply(answering, { kind: "chosen", offerId: "b", answer: "decline" }).choice?.offerId).toBe("a");
  expect(after({ kind: "chosen", offerId: "a", answer: "accept" }).choice).toBeNull();
});

test("one's own answer needs no explanation", () => {
  for (const why of ["accepted", "declined"] as const) {
    const answered = after(
      created("a"),
      { kind: "chosen", offerId: "a", answer: "accept" },
      { kind: "settled", offerId: "a", why },
    );
    expect(answered).toMatchObject({ open: [], choice: null, last: null });
  }
});

test("the list after a reconnection takes the place of what was there", () => {
  const listed = after(created("a"), created("b"), {
    kind: "listed",
    offers: [offer("b"), offer("c")],
    openBefore: ["a", "b"],
  });
  expect(listed.open.map(({ id }) => id).sort()).toEqual(["b", "c"]);
  expect(listed.last?.offer.id).toBe("a");
  expect(apply(listed, { kind: "dismissed" }).last).toBeNull();
});

test("a list that was asked for before an offer came takes nothing from it", () => {
  const late = after(created("a"), created("new"), { kind: "listed", offers: [], openBefore: ["a"] });
  expect([shown(late)?.id, late.last?.offer.id]).toEqual(["new", "a"]);
  const first = after(created("new"), { kind: "listed", offers: [], openBefore: [] });
  expect([shown(first)?.id, first.last]).toEqual(["new", null]);
});

test("a refusal says what became of the offer, or nothing", () => {
  expect(whyRefused("OFFER_TAKEN")).toBe("taken");
  expect(whyRefused("OFFER_EXPIRED")).toBe("expired");
  expect(whyRefused("INVALID_TRANSITION")).toBe("answered_elsewhere");
  expect(whyRefused("RATE_LIMITED")).toBeNull();
});

test("the countdown is by the service's clock and never negative", () => {
  expect(leftMs(offer("a", 20), NOW + 5_000)).toBe(15_000);
  expect(leftMs(offer("a", 20), NOW + 25_000)).toBe(0);
  expect(leftShare(offer("a", 20), NOW + 5_000)).toBe(0.75);
  expect(leftShare(offer("a", 20), NOW - 5_000)).toBe(1);
});

test("a press counts from when it began, and not before the offer has been there for a moment", () => {
  expect(isMeant(1_000, null)).toBe(false);
  expect(isMeant(1_000, 1_000)).toBe(false);
  expect(isMeant(900, 1_000)).toBe(false);
  expect(isMeant(1_000 + QUIET_MS - 1, 1_000)).toBe(false);
  expect(isMeant(1_000 + QUIET_MS, 1_000)).toBe(true);
});

test("a button of a notification answers the offer once the page knows it, and only once", () => {
  const press = { offerId: "a", answer: "accept" } as const;
  expect(afterPress(NO_OFFERS, press, false)).toBe("wait");
  expect(afterPress(NO_OFFERS, press, true)).toBe("over");
  const known = apply(NO_OFFERS, { kind: "created", offer: offer("a") });
  expect(afterPress(known, press, false)).toBe("answer");
  const answering = apply(known, { kind: "chosen", offerId: "a", answer: "decline" });
  expect(afterPress(answering, press, true)).toBe("nothing");
  expect(afterPress(answering, { offerId: "b", answer: "accept" }, true)).toBe("wait");
});
