// Stores unsent requests in this browser, with the bytes of photos. Without a database (some private windows have none)
// they live as long as the page.
import type { Entry, Store } from "./outbox";

const DATABASE = `roadcall-outbox-${import.meta.env.BASE_URL}`;
const ENTRIES = "entries";

interface Row {
  /** In the order in which they were first stored. */
  number: number;
  id: string;
  entry: Entry;
}

let opening: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  return (opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      const rows = request.result.createObjectStore(ENTRIES, { keyPath: "number", autoIncrement: true });
      rows.createIndex("id", "id", { unique: true });
    };
    request.onsuccess = () => {
      // Phones close the database of a suspended app.
      request.result.onclose = () => (opening = null);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error("no database"));
  }));
}

/** Runs `work` in one transaction; resolves once that is on disk. */
async function within<T>(work: (rows: IDBObjectStore, give: (value: T) => void) => void): Promise<T | undefined> {
  const transaction = (await database()).transaction(ENTRIES, "readwrite");
  let given: T | undefined;
  work(transaction.objectStore(ENTRIES), (value) => (given = value));
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("not kept"));
  });
  return given;
}

function found<T>(request: IDBRequest<T>, then: (value: T) => void): void {
  request.onsuccess = () => then(request.result);
}

export const store: Store = {
  async load(user, since) {
    const rows = await within<Row[]>((rows, give) => {
      found(rows.getAll() as IDBRequest<Row[]>, (all) => {
        const isKept = ({ entry }: Row) => entry.user === user && entry.at >= since;
        for (const row of all) if (!isKept(row)) rows.delete(row.number);
        give(all.filter(isKept));
      });
    });
    return (rows ?? []).map(({ entry }) => entry);
  },
  async put(entry) {
    await within((rows) => {
      found(rows.index("id").getKey(entry.id), (number) => {
        rows.put({ id: entry.id, entry, ...(number === undefined ? {} : { number }) });
      });
    });
  },
  async delete(id) {
    await within((rows) => {
      found(rows.index("id").getKey(id), (number) => {
        if (number !== undefined) rows.delete(number);
      });
    });
  },
};

/** Deletes all unsent requests from the device after a sign-out. */
export async function forgetOutbox(): Promise<void> {
  await within((rows) => rows.clear()).catch(() => {});
}
