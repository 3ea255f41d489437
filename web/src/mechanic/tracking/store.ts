// Stores waiting positions on the device, so that no reload or crash loses any of them.
import type { Point } from "./queue";

const DATABASE = "roadcall-mechanic";

interface Row {
  user: string;
  point: Point;
  seq: number;
}

/** Stores points; without a database (some private windows have none) positions stay in memory only. */
export class PointStore {
  private constructor(
    private readonly database: IDBDatabase | null,
    private readonly user: string,
  ) {}

  static async open(user: string): Promise<PointStore> {
    const database = await new Promise<IDBDatabase | null>((resolve) => {
      try {
        const request = indexedDB.open(DATABASE, 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore("points", { keyPath: ["user", "seq"] });
          request.result.createObjectStore("numbers");
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(null);
      } catch {
        resolve(null);
      }
    });
    return new PointStore(database, user);
  }

  async load(): Promise<{ points: Point[]; next: number }> {
    if (this.database === null) return { points: [], next: 1 };
    const transaction = this.database.transaction(["points", "numbers"]);
    const range = IDBKeyRange.bound([this.user, 0], [this.user, Number.MAX_SAFE_INTEGER]);
    const [rows, next] = await Promise.all([
      result<Row[]>(transaction.objectStore("points").getAll(range)),
      result<number | undefined>(transaction.objectStore("numbers").get(this.user)),
    ]);
    return { points: rows.map(({ point }) => point), next: next ?? 1 };
  }

  /** Stores a point, deletes others, and stores the next number. */
  async change(added: Point | null, gone: readonly number[], next: number): Promise<void> {
    if (this.database === null) return;
    const transaction = this.database.transaction(["points", "numbers"], "readwrite");
    const points = transaction.objectStore("points");
    if (added !== null) points.put({ user: this.user, seq: added.seq, point: added } satisfies Row);
    for (const seq of gone) points.delete([this.user, seq]);
    transaction.objectStore("numbers").put(next, this.user);
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error ?? new Error("not kept"));
      transaction.onabort = () => reject(transaction.error ?? new Error("not kept"));
    });
  }

  close(): void {
    this.database?.close();
  }
}

function result<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error ?? new Error("not read"));
  });
}
