// An upload that has stalled is abandoned, so that it can be sent again.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NoAnswer } from "../../../src/shared/api/errors";
import { ANSWER_MS, put, STILL_MS } from "../../../src/shared/photos/put";

/** A request whose bytes move when the test says so. */
class Request {
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onloadend: (() => void) | undefined;
  status = 0;
  responseText = "";
  isAborted = false;

  constructor() {
    requests.push(this);
  }

  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  getResponseHeader(): null {
    return null;
  }
  abort(): void {
    this.isAborted = true;
    this.onloadend?.();
  }

  move(loaded: number): void {
    this.upload.onprogress?.({ loaded, total: 10 });
  }
  answer(status: number): void {
    this.status = status;
    this.onloadend?.();
  }
}

const requests: Request[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", Request);
});
afterEach(() => {
  requests.length = 0;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function sending(progress: (share: number) => void = () => {}): { request: Request; outcome: Promise<unknown> } {
  const to = { method: "PUT", url: "https://files.example.com/a", headers: {} };
  const sent = put(to, new Blob(["a photo"]), new AbortController().signal, progress);
  const [request] = requests;
  if (!request) throw new Error("nothing was sent");
  return { request, outcome: sent.catch((error: unknown) => error) };
}

test("bytes that stand still are given up, and bytes that move are not", async () => {
  const shares: number[] = [];
  const { request, outcome } = sending((share) => shares.push(share));
  for (const loaded of [1, 2, 3]) {
    vi.advanceTimersByTime(STILL_MS - 1);
    request.move(loaded);
  }
  expect(request.isAborted).toBe(false);
  vi.advanceTimersByTime(STILL_MS);
  expect(request.isAborted).toBe(true);
  expect(await outcome).toBeInstanceOf(NoAnswer);
  expect(shares).toEqual([0.1, 0.2, 0.3]);
});

test("a connection that takes no byte at all is given up", async () => {
  const { request, outcome } = sending();
  vi.advanceTimersByTime(STILL_MS);
  expect(request.isAborted).toBe(true);
  expect(await outcome).toBeInstanceOf(NoAnswer);
});

test("bytes that the phone has handed over have longer to arrive", async () => {
  const slow = sending();
  slow.request.move(10);
  vi.advanceTimersByTime(ANSWER_MS - 1);
  slow.request.answer(201);
  expect(await slow.outcome).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test("bytes that arrive without an answer are given up in the end", async () => {
  const { request, outcome } = sending();
  request.move(10);
  vi.advanceTimersByTime(ANSWER_MS);
  expect(request.isAborted).toBe(true);
  expect(await outcome).toBeInstanceOf(NoAnswer);
});
