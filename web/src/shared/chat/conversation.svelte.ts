// One chat, kept up to date from its creation on, whether or not it is on the screen:
//   const chat = new Conversation(accountChat(jobId, "customer"));
//   chat.unread is for a badge, chat.close() at the end
//   <Chat {chat} />
import { NoAnswer, Refusal } from "../api/errors";
import { socket } from "../api/socket.svelte";
import type { Prepared } from "../photos/prepare";
import { upload } from "../photos/upload";
import { explain } from "../text/refusals";
import * as state from "./chat";
import type { Transport } from "./transport";
import { keepUnsent, unsent } from "./unsent";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const TYPING_SHOWN_MS = 4_000;
const TYPING_EVERY_MS = 2_000;

export class Conversation {
  #now: state.ChatState = $state.raw(state.nothing);
  /** Whether nothing has been loaded yet. */
  isLoading = $state(true);
  /** Why nothing could be loaded. */
  error: unknown = $state.raw(null);
  isLoadingOlder = $state(false);
  /** Whether the other side is typing. */
  isTyping = $state(false);
  /** Whether messages wait for a connection. */
  isWaiting = $state(false);

  readonly unread = $derived(state.unread(this.#state));

  #files = new Map<string, Prepared>();
  #isSending = false;
  #wake: (() => void) | null = null;
  #typed = 0;
  #typingTimer: ReturnType<typeof setTimeout> | undefined;
  #abort = new AbortController();
  #ends: (() => void)[] = [];
  #loading: Promise<void> | null = null;

  constructor(readonly transport: Transport) {
    const { keptAs } = transport;
    if (keptAs !== null) this.#now = { ...state.nothing, outgoing: unsent(keptAs) };
    this.#ends.push(
      transport.listen({
        message: (message) => {
          if (!message.isOwn) this.isTyping = false;
          this.#state = state.merge(this.#state, [message]);
        },
        changed: () => void this.load(),
        read: (from, upTo, at) => (this.#state = state.readByOther(this.#state, from, upTo, at)),
        readHere: (upTo) => (this.#state = state.readByOwn(this.#state, upTo)),
        typing: () => {
          this.isTyping = true;
          clearTimeout(this.#typingTimer);
          this.#typingTimer = setTimeout(() => (this.isTyping = false), TYPING_SHOWN_MS);
        },
      }),
      socket.onOpen(() => this.#wake?.()),
    );
    addEventListener("online", () => this.#hurry(), { signal: this.#abort.signal });
    // Messages that arrived before a reload are not sent again.
    void this.load().then(() => this.#flush());
  }

  get #state(): state.ChatState {
    return this.#now;
  }
  set #state(next: state.ChatState) {
    const before = this.#now.outgoing;
    this.#now = next;
    if (this.transport.keptAs !== null && next.outgoing !== before) keepUnsent(this.transport.keptAs, next.outgoing);
  }

  get messages(): readonly state.Message[] {
    return this.#state.messages;
  }
  get outgoing(): readonly state.Outgoing[] {
    return this.#state.outgoing;
  }
  get hasOlder(): boolean {
    return this.#state.hasOlder;
  }
  get isWritable(): boolean {
    return this.#state.isWritable;
  }
  isRead(message: state.Message): boolean {
    return state.isRead(this.#state, message);
  }
  isEarlier(message: state.Message): boolean {
    return state.isEarlier(this.#state, message);
  }
  /** Returns the name of the mechanic to whose chat an earlier message belongs. */
  nameOf(message: state.Message): string | null {
    return message.mechanicId === null ? null : (this.#state.earlier[message.mechanicId] ?? null);
  }

  close(): void {
    this.#abort.abort();
    clearTimeout(this.#typingTimer);
    this.#wake?.();
    for (const end of this.#ends) end();
  }

  /** Loads the newest messages, or those since the last one. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      for (;;) {
        const since = state.lastSeq(this.#state);
        const page = await this.transport.load(since === 0 ? {} : { since_seq: since });
        this.#state = state.opened(this.#state, page, since === 0);
        if (since === 0 || !page.hasMore) break;
      }
      this.error = null;
    } catch (error) {
      this.error = error;
    }
    this.isLoading = false;
  }

  async loadOlder(): Promise<void> {
    const first = this.messages[0];
    if (!first || this.isLoadingOlder || !this.hasOlder) return;
    this.isLoadingOlder = true;
    try {
      this.#state = state.older(this.#state, await this.transport.load({ before_seq: first.seq }));
    } catch {
      // The button to load them is still there.
    }
    this.isLoadingOlder = false;
  }

  /** Shows a message at once and sends it; it arrives once, however many attempts that takes. */
  send(draft: state.Draft, file?: Prepared): void {
    const clientId = crypto.randomUUID();
    if (file) this.#files.set(clientId, file);
    this.#state = state.queued(this.#state, { clientId, draft, at: new Date().toISOString(), refused: null });
    this.#typed = 0;
    void this.#flush();
  }

  again(clientId: string): void {
    this.#state = state.again(this.#state, clientId);
    void this.#flush();
  }

  discard(clientId: string): void {
    this.#files.delete(clientId);
    this.#state = state.discarded(this.#state, clientId);
  }

  /** Marks all loaded messages as read. */
  markRead(): void {
    const upTo = state.lastSeq(this.#state);
    if (this.unread === 0 || upTo === 0) return;
    this.#state = state.readByOwn(this.#state, upTo);
    // The next message that is read makes up for it.
    this.transport.read?.(upTo).catch(() => {});
  }

  typing(): void {
    if (Date.now() - this.#typed < TYPING_EVERY_MS) return;
    this.#typed = Date.now();
    this.transport.typing?.();
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    let tries = 0;
    for (let one = state.next(this.#state); one && !this.#abort.signal.aborted; one = state.next(this.#state)) {
      const { clientId } = one;
      try {
        let { draft } = one;
        const file = this.#files.get(clientId);
        if (file && draft.fileUrl === undefined) {
          const fileUrl = await upload(
            file,
            "chat",
            ({ isWaiting }) => (this.isWaiting = isWaiting),
            this.#abort.signal,
          );
          this.#state = state.uploaded(this.#state, clientId, fileUrl);
          draft = { ...draft, fileUrl };
        }
        const message = await this.transport.send(clientId, draft);
        this.#files.delete(clientId);
        this.#state = state.arrived(this.#state, clientId, message);
        this.isWaiting = false;
        tries = 0;
      } catch (error) {
        if (this.#abort.signal.aborted) break;
        if (mayComeThrough(error)) {
          this.isWaiting = true;
          tries += 1;
          const wait =
            error instanceof Refusal && error.retryAfterS !== null
              ? error.retryAfterS * 1000
              : FIRST_WAIT_MS * 2 ** tries;
          await this.#pause(Math.min(wait, LONGEST_WAIT_MS));
        } else {
          this.#state = state.refused(this.#state, clientId, explain(error));
          // The chat may be over.
          if (error instanceof Refusal && error.status !== 422) void this.load();
        }
      }
    }
    this.isWaiting = false;
    this.#isSending = false;
  }

  #hurry(): void {
    this.#wake?.();
    if (this.error !== null) void this.load();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Reports whether the same message may be accepted later: there was no answer, or the service is busy. */
function mayComeThrough(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  return (
    error instanceof Refusal &&
    ["RATE_LIMITED", "UNAVAILABLE", "OUTCOME_UNKNOWN", "INTERNAL_ERROR"].includes(error.code)
  );
}
