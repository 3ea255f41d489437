// A person's request is sent once, in order, whatever happens to the network and the page meanwhile; and it ends.
import { expect, test } from "vitest";
import { NoAnswer, Refusal } from "../../../src/shared/api/errors";
import {
  Dropped,
  Expired,
  Full,
  LASTS_MS,
  MOST,
  Queue,
  type Entry,
  type Kind,
  type Store,
} from "../../../src/shared/outbox/outbox";

const MINUTE = 60_000;

/** A device whose pages are opened and closed. */
class Device {
  rows: Entry[] = [];
  now = 1_000_000_000;
  ready = async (): Promise<void> => {};
  readonly store: Store = {
    load: async (user, since) => {
      this.rows = this.rows.filter((row) => row.user === user && row.at >= since);
      return [...this.rows];
    },
    put: async (entry) => {
      const at = this.rows.findIndex(({ id }) => id === entry.id);
      if (at === -1) this.rows.push(entry);
      else this.rows[at] = entry;
    },
    delete: async (id) => {
      this.rows = this.rows.filter((row) => row.id !== id);
    },
  };

  /** `seen.sent` lists the sent entries; an error thrown by `outcome` is the outcome of an entry. */
  page(outcome: (entry: Entry, save: (body: unknown) => Promise<void>) => unknown = () => "done", isPatient = true) {
    const seen = {
      sent: [] as string[],
      entries: [] as readonly Entry[],
      isWaiting: false,
      /** The pauses before the next attempts. */
      waits: [] as number[],
      /** The entries that other tabs were told about. */
      dropped: [] as string[],
    };
    const later = new Map<string, () => void>();
    const step: Kind = {
      sendsForMs: 5 * MINUTE,
      isPatient: () => isPatient,
      send: async (entry, save) => {
        seen.sent.push(`${entry.id}${entry.isTried ? " again" : ""}`);
        return outcome(entry, save);
      },
    };
    const queue = new Queue({
      store: this.store,
      kinds: { step, photo: { ...step, lane: "photos" } },
      ready: () => this.ready(),
      changed: (entries, isWaiting) => Object.assign(seen, { entries, isWaiting }),
      later: (name, ms, then) => {
        later.set(name, then);
        if (name.startsWith("lane ")) seen.waits.push(ms);
      },
      dropped: (id) => seen.dropped.push(id),
      now: () => this.now,
    });
    const ask = (id: string, kind = "step") => queue.send({ id, user: "ravi", kind, about: "job", body: id });
    /** Fires the timer of an entry. */
    const look = (id: string) => later.get(id)?.();
    return { queue, seen, ask, look };
  }
}

const offline = () => {
  throw new NoAnswer("no network");
};
/** Waits until everything that is ready has run. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("the answer comes to the page that asked, and nothing stays", async () => {
  const device = new Device();
  const { seen, ask } = device.page(({ body }) => `answer to ${String(body)}`);
  expect(await Promise.all([ask("a"), ask("b")])).toEqual(["answer to a", "answer to b"]);
  expect(seen.sent).toEqual(["a", "b"]);
  expect([device.rows, seen.entries]).toEqual([[], []]);
});

test("what had no answer survives the page, and goes out in its order and once", async () => {
  const device = new Device();
  const first = device.page(offline);
  void first.ask("arrive").catch(() => {});
  void first.ask("photo").catch(() => {});
  await settled();
  expect(first.seen.sent).toEqual(["arrive"]);
  expect([first.seen.isWaiting, first.seen.waits.length]).toEqual([true, 1]);

  // The tab is killed. The result of the first try is unknown, so the sender learns that there was a first try.
  const second = device.page();
  await second.queue.resume("ravi");
  expect(second.seen.sent).toEqual(["arrive again", "photo again"]);
  await device.page().queue.resume("ravi");
  expect(device.rows).toEqual([]);
});

test("a page that is patient gets its answer after the network is back; another one is told at once", async () => {
  let isOnline = false;
  const device = new Device();
  const patient = device.page(() => (isOnline ? "done" : offline()));
  const answer = patient.ask("a");
  await settled();
  isOnline = true;
  await patient.queue.run();
  expect(await answer).toBe("done");
  expect(patient.seen.isWaiting).toBe(false);

  const busy = new Refusal(503, "UNAVAILABLE", "busy", {}, 120);
  const impatient = device.page(() => {
    throw busy;
  }, false);
  await expect(impatient.ask("b")).rejects.toBe(busy);
  expect(impatient.seen.waits).toEqual([120_000]);
  expect(device.rows.map(({ id }) => id)).toEqual(["b"]);
});

test("a refusal ends it where somebody waits for it, else it stays to be read, and the next one goes on", async () => {
  const device = new Device();
  const refusal = new Refusal(409, "INVALID_TRANSITION", "too late");
  const refuses = (entry: Entry) => {
    if (entry.body === "a") throw refusal;
    return "done";
  };
  const here = device.page(refuses);
  await expect(here.ask("a")).rejects.toBe(refusal);
  expect(device.rows).toEqual([]);

  const gone = device.page(offline);
  for (const id of ["a", "b"]) void gone.ask(id).catch(() => {});
  await settled();
  const next = device.page(refuses);
  await next.queue.resume("ravi");
  expect(next.seen.entries.map(({ id, refused }) => [id, refused?.message])).toEqual([["a", "too late"]]);
  expect(next.seen.isWaiting).toBe(false);
  // Only the person can send it again, and then as a new request.
  await next.queue.run();
  expect(next.seen.sent).toEqual(["a again", "b again"]);
  await next.queue.again("a");
  expect(next.seen.sent).toHaveLength(3);
  expect(next.seen.sent[2]).not.toBe("a again");
  expect(next.seen.entries).toHaveLength(1);
  expect(next.seen.dropped).toEqual(["a"]);
});

test("what is too old to be wanted waits for a word; what is a day old is gone", async () => {
  const device = new Device();
  const before = device.page(offline);
  void before.ask("a").catch(() => {});
  await settled();
  device.now += 5 * MINUTE;
  const later = device.page();
  await later.queue.resume("ravi");
  expect(later.seen.sent).toEqual([]);
  expect(later.seen.entries.map(later.queue.isDue)).toEqual([false]);
  await later.queue.again("a");
  expect([later.seen.sent, device.rows]).toEqual([["a again"], []]);

  void before.ask("b").catch(() => {});
  await settled();
  device.now += LASTS_MS + 1;
  const nextDay = device.page();
  await nextDay.queue.resume("ravi");
  expect([nextDay.seen.entries, device.rows]).toEqual([[], []]);
});

test("it is the person's to stop, and there is room for so many", async () => {
  const device = new Device();
  const { queue, seen, ask } = device.page(offline);
  const asked = Array.from({ length: MOST }, (_, index) => ask(`${index}`).catch((error: unknown) => error));
  await settled();
  await expect(ask("one more")).rejects.toBeInstanceOf(Full);
  await queue.drop("0");
  expect(await asked[0]).toBeInstanceOf(Dropped);
  // The next one is attempted without the first one's pause.
  expect(seen.sent).toEqual(["0", "1"]);
  expect(device.rows).toHaveLength(MOST - 1);
  queue.end();
  expect(await asked[1]).toBeInstanceOf(Dropped);
  // Leaving a page takes nothing with it.
  expect(device.rows).toHaveLength(MOST - 1);
});

test("what is done of something long is kept", async () => {
  const device = new Device();
  const uploads = device.page(async (_, save) => {
    await save({ fileUrl: "https://files.example.com/a" });
    return offline();
  });
  void uploads.ask("a").catch(() => {});
  await settled();
  const next = device.page(({ body }) => body);
  await next.queue.resume("ravi");
  expect(next.seen.sent).toEqual(["a again"]);
  expect(uploads.seen.entries[0]?.body).toEqual({ fileUrl: "https://files.example.com/a" });
});

test("nobody sends what somebody else asked for", async () => {
  const device = new Device();
  void device
    .page(offline)
    .ask("a")
    .catch(() => {});
  await settled();
  const other = device.page();
  await other.queue.resume("kiran");
  expect([other.seen.sent, device.rows]).toEqual([[], []]);
});

test("nothing goes out while it is not known whose it would be", async () => {
  const device = new Device();
  device.ready = async () => {
    throw new NoAnswer("somebody else is signed in");
  };
  const { queue, seen, ask } = device.page();
  const answer = ask("a");
  await settled();
  expect([seen.sent, seen.isWaiting]).toEqual([[], true]);
  device.ready = async () => {};
  await queue.run();
  expect([await answer, seen.sent]).toEqual(["done", ["a"]]);
});

test("what is dropped while it is still loaded is not sent", async () => {
  const device = new Device();
  const before = device.page(offline);
  for (const id of ["a", "b"]) void before.ask(id).catch(() => {});
  await settled();
  const next = device.page();
  const loaded = next.queue.resume("ravi");
  await next.queue.drop("a");
  await loaded;
  expect([next.seen.sent, device.rows]).toEqual([["b again"], []]);
});

test("too many requests are no refusal where nobody waits: it goes out later", async () => {
  const device = new Device();
  const before = device.page(offline);
  void before.ask("a").catch(() => {});
  await settled();
  let isBusy = true;
  const next = device.page(() => {
    if (isBusy) throw new Refusal(429, "RATE_LIMITED", "slow down", {}, 7);
  });
  await next.queue.resume("ravi");
  expect(next.seen.entries.map(({ refused }) => refused)).toEqual([undefined]);
  expect([next.seen.isWaiting, next.seen.waits]).toEqual([true, [7_000]]);
  isBusy = false;
  await next.queue.run();
  expect(device.rows).toEqual([]);
});

test("what ends after the page of somebody is left shows nothing to the next person", async () => {
  const device = new Device();
  let answer = (): void => {};
  const left = device.page(() => new Promise<void>((resolve) => (answer = resolve)));
  void left.ask("a").catch(() => {});
  await settled();
  left.queue.end();
  left.seen.entries = [
    { id: "of the next", user: "kiran", kind: "step", about: "", at: 0, body: null, isTried: false },
  ];
  answer();
  await settled();
  expect(left.seen.entries.map(({ id }) => id)).toEqual(["of the next"]);
});

test("an entry that is dropped before its first try does not go out", async () => {
  const device = new Device();
  let ready = (): void => {};
  device.ready = () => new Promise<void>((resolve) => (ready = resolve));
  const { queue, seen, ask } = device.page();
  const answer = ask("a").catch((error: unknown) => error);
  await settled();
  await queue.drop("a");
  ready();
  await settled();
  expect(await answer).toBeInstanceOf(Dropped);
  expect([seen.sent, device.rows]).toEqual([[], []]);
});

test("a page learns that its entry is too old, and the person may send it under the same key", async () => {
  let isOnline = false;
  const device = new Device();
  const { queue, seen, ask, look } = device.page(() => (isOnline ? "done" : offline()));
  const answer = ask("a").catch((error: unknown) => error);
  await settled();
  look("a");
  expect(seen.isWaiting).toBe(true);
  device.now += 5 * MINUTE;
  look("a");
  expect(await answer).toBeInstanceOf(Expired);
  expect(seen.isWaiting).toBe(false);
  expect(seen.entries.map((entry) => [entry.id, queue.isDue(entry)])).toEqual([["a", false]]);
  isOnline = true;
  expect(await ask("a")).toBe("done");
  expect([seen.sent, device.rows]).toEqual([["a", "a again"], []]);
});

test("a page learns that its entry is too old when the phone wakes up and tries the next one", async () => {
  const device = new Device();
  const { queue, ask } = device.page(offline);
  const answer = ask("a").catch((error: unknown) => error);
  await settled();
  device.now += 5 * MINUTE;
  await queue.run();
  expect(await answer).toBeInstanceOf(Expired);
});

test("a try that is under way when its entry becomes too old still has its answer", async () => {
  const device = new Device();
  let come = (): void => {};
  const { ask, look } = device.page(() => new Promise<string>((resolve) => (come = () => resolve("done"))));
  const answer = ask("a");
  await settled();
  device.now += 5 * MINUTE;
  look("a");
  come();
  expect(await answer).toBe("done");
});

test("an entry that is sent instead of one without an answer knows of that try", async () => {
  const device = new Device();
  const { queue, seen } = device.page();
  await queue.send({ id: "a", user: "ravi", kind: "step", about: "job", body: null, isTried: true });
  expect(seen.sent).toEqual(["a again"]);
});

test("a step does not wait for a photo that is stuck or fails", async () => {
  const stuck = new Device().page(({ kind }) => (kind === "photo" ? new Promise(() => {}) : "done"));
  void stuck.ask("photo", "photo");
  expect(await stuck.ask("arrive")).toBe("done");
  expect(stuck.seen.sent).toEqual(["photo", "arrive"]);

  const failing = new Device().page(({ kind }) => (kind === "photo" ? offline() : "done"));
  for (const id of ["photo", "other photo"]) void failing.ask(id, "photo").catch(() => {});
  expect(await failing.ask("arrive")).toBe("done");
  await settled();
  // Photos wait for each other.
  expect([...failing.seen.sent].sort()).toEqual(["arrive", "photo"]);
  expect(failing.seen.entries.map(({ id }) => id)).toEqual(["photo", "other photo"]);
  expect(failing.seen.isWaiting).toBe(true);
});

test("an entry that is dropped in one tab is gone from the others", async () => {
  const device = new Device();
  const here = device.page(offline);
  const answer = here.ask("a").catch((error: unknown) => error);
  await settled();
  const there = device.page(offline);
  await there.queue.resume("ravi");
  await there.queue.drop("a");
  expect(there.seen.dropped).toEqual(["a"]);
  await here.queue.droppedElsewhere("a");
  expect(await answer).toBeInstanceOf(Dropped);
  expect([here.seen.entries, here.seen.dropped, device.rows]).toEqual([[], [], []]);
});

test("other tabs learn of an entry that was dropped while it was loaded", async () => {
  const device = new Device();
  void device
    .page(offline)
    .ask("a")
    .catch(() => {});
  await settled();
  const next = device.page();
  const loaded = next.queue.resume("ravi");
  await next.queue.drop("a");
  await loaded;
  expect(next.seen.dropped).toEqual(["a"]);
});
