import { expect, test } from "vitest";
import { withNewest, withOlder } from "../../../src/console/jobs/job/messages";
import { Newest } from "../../../src/shared/api/newest";

/** Creates a question that is answered when the test wants it. */
function question<T>() {
  let resolve: (answer: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { ask: () => promise, resolve, reject };
}

test("an older answer that comes later changes nothing", async () => {
  const newest = new Newest();
  const [first, second] = [question<string>(), question<string>()];
  const shown: string[] = [];
  const take = (answer: string) => shown.push(answer);
  const asked = [newest.ask(first.ask, take), newest.ask(second.ask, take)];
  second.resolve("new");
  first.resolve("old");
  expect(await Promise.all(asked)).toEqual([false, true]);
  expect(shown).toEqual(["new"]);
});

test("an older failure that comes later is not shown, and an answer that comes first is not either", async () => {
  const newest = new Newest();
  const [first, second, third] = [question<string>(), question<string>(), question<string>()];
  const shown: unknown[] = [];
  const note = (what: unknown) => void shown.push(what);
  const asked = [first, second, third].map(({ ask }) => newest.ask(ask, note, note));
  first.resolve("old");
  third.reject("newest");
  second.reject("older");
  expect(await Promise.all(asked)).toEqual([false, false, true]);
  expect(shown).toEqual(["newest"]);
  expect(await newest.ask(() => Promise.reject(new Error("nobody minds")), note)).toBe(true);
});

test("what became known otherwise overtakes an answer on its way", async () => {
  const newest = new Newest();
  const first = question<string>();
  const shown: string[] = [];
  const asked = newest.ask(first.ask, (answer) => shown.push(answer));
  newest.overtake();
  first.resolve("old");
  expect(await asked).toBe(false);
  expect(
    await newest.ask(
      () => Promise.resolve("new"),
      (answer) => shown.push(answer),
    ),
  ).toBe(true);
  expect(shown).toEqual(["new"]);
});

const messages = (...seqs: number[]) => seqs.map((seq) => ({ seq }));

test("a chat keeps the older messages that were loaded, unless some are missing after them", () => {
  expect(withNewest([], messages(4, 5))).toEqual(messages(4, 5));
  expect(withNewest(messages(1, 2, 4), messages(4, 5))).toEqual(messages(1, 2, 4, 5));
  expect(withNewest(messages(1, 2), messages(4, 5))).toEqual(messages(4, 5));
  expect(withNewest(messages(1, 2), [])).toEqual([]);
});

test("a page of older messages comes before those that are known, each once", () => {
  expect(withOlder(messages(4, 5), messages(1, 2))).toEqual(messages(1, 2, 4, 5));
  expect(withOlder(messages(2, 4), messages(1, 2))).toEqual(messages(1, 2, 4));
});
