// The photos of one field: chosen, reduced in size, uploaded at once, retried, removed.
import { m } from "$words";
import { Dropped } from "../outbox/outbox";
import { explain } from "../text/refusals";
import { MAX_PDF_BYTES, prepare, Unusable, type Prepared } from "./prepare";
import { upload, type Progress, type Purpose } from "./upload";

/** Sends a file and returns its URL. */
export type Send = (file: Prepared, progress: (now: Progress) => void, signal: AbortSignal) => Promise<string>;

/** Stops the upload of a file that the person removed. Leaving the page is no removal. */
export class Removed extends Error {
  override name = "Removed";
}

export interface PickedFile {
  key: string;
  file: Prepared | null;
  /** Of the picture on this device, until the page is left. */
  preview: string | null;
  isDocument: boolean;
  url: string | null;
  share: number;
  isWaiting: boolean;
  error: string | null;
  stop: AbortController;
}

interface Field {
  readonly purpose: Purpose;
  readonly most: number;
  readonly documents: boolean;
  /** Null just uploads it. */
  readonly send: Send | null;
  /** Reports the uploaded files, and whether more are on their way. */
  publish(urls: string[], busy: boolean): void;
}

export class Picked {
  files: PickedFile[] = $state([]);
  /** Why a file was not accepted. */
  refused: string | null = $state(null);
  readonly isFull = $derived.by(() => this.files.length >= this.field.most);

  constructor(
    readonly field: Field,
    urls: string[],
  ) {
    this.files = urls.map(empty);
  }

  #publish() {
    this.field.publish(
      this.files.flatMap(({ url }) => url ?? []),
      this.files.some(({ url, error }) => url === null && error === null),
    );
  }

  /** Removes the files that the page has removed, such as all of them after they were sent. */
  keepOnly(urls: string[]) {
    const gone = this.files.filter(({ url }) => url !== null && !urls.includes(url));
    for (const one of gone) this.remove(one);
  }

  async take(input: HTMLInputElement) {
    const files = [...(input.files ?? [])];
    // The same file may be chosen again.
    input.value = "";
    const { most } = this.field;
    const room = most - this.files.length;
    this.refused = files.length > room ? m.shared_photos_limit_reached({ most }) : null;
    await Promise.all(files.slice(0, room).map((file) => this.#add(file)));
  }

  async #add(file: File) {
    this.files.push(empty(null));
    const one = this.files[this.files.length - 1];
    if (!one) return;
    this.#publish();
    try {
      const prepared = await prepare(file, this.field.documents);
      one.isDocument = prepared.kind === "application/pdf";
      if (!one.isDocument) one.preview = URL.createObjectURL(prepared.blob);
      one.file = prepared;
    } catch (problem) {
      this.refused = words(problem, this.field.documents);
      this.remove(one);
      return;
    }
    await this.send(one);
  }

  async send(one: PickedFile) {
    if (!one.file) return;
    one.error = null;
    this.#publish();
    try {
      const send: Send = this.field.send ?? ((file, ...how) => upload(file, this.field.purpose, ...how));
      one.url = await send(one.file, (now) => Object.assign(one, now), one.stop.signal);
    } catch (problem) {
      if (one.stop.signal.aborted) return;
      // The photo was dropped from the outbox, or waits there for the person's decision.
      if (problem instanceof Dropped) return this.remove(one, null);
      one.error = explain(problem);
    }
    this.#publish();
  }

  /** Removes a file. `why` is null if it leaves only the page, and not the outbox. */
  remove(one: PickedFile, why: Removed | null = new Removed()) {
    forget(one, why);
    this.files = this.files.filter(({ key }) => key !== one.key);
    this.#publish();
  }

  /** Ends all uploads when the page is left. */
  end() {
    for (const one of this.files) forget(one, null);
  }
}

function empty(url: string | null): PickedFile {
  return {
    key: crypto.randomUUID(),
    file: null,
    preview: null,
    isDocument: false,
    url,
    share: 0,
    isWaiting: false,
    error: null,
    stop: new AbortController(),
  };
}

function forget({ stop, preview }: PickedFile, why: Removed | null) {
  stop.abort(why ?? undefined);
  if (preview) URL.revokeObjectURL(preview);
}

function words(problem: unknown, documents: boolean): string {
  if (!(problem instanceof Unusable)) return explain(problem);
  switch (problem.reason) {
    case "heic":
      return m.shared_photos_heic();
    case "unreadable":
      return m.shared_photos_unreadable();
    case "too_large":
      return m.shared_photos_too_large({ most: MAX_PDF_BYTES / 1024 / 1024 });
    case "wrong_kind":
      return documents ? m.shared_photos_wrong_kind_document() : m.shared_photos_wrong_kind();
  }
}
