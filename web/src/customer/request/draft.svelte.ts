// The draft on this device: it survives a reload and a dead network.
import { session } from "$shared/api/session.svelte";
import { outbox } from "$shared/outbox/outbox.svelte";
import { changed, empty, revive, type Draft } from "./draft";

const KEY = "roadcall-customer-draft";

class KeptDraft {
  now: Draft = $state.raw(revive(localStorage.getItem(KEY), Date.now(), crypto.randomUUID()));

  change(changes: Partial<Omit<Draft, "key" | "owner" | "changedAt">>): void {
    // The customer no longer wants the request that was sent without an answer.
    outbox.drop(this.now.key);
    this.now = {
      ...changed(this.now, changes),
      owner: session.userId ?? this.now.owner,
      key: crypto.randomUUID(),
      changedAt: Date.now(),
    };
    this.#keep();
  }

  /** Makes a new intention of it: under the old key the service repeats its refusal, whatever has changed. */
  renew(): void {
    outbox.drop(this.now.key);
    this.now = { ...this.now, key: crypto.randomUUID() };
    this.#keep();
  }

  clear(): void {
    this.now = empty(Date.now(), crypto.randomUUID());
    localStorage.removeItem(KEY);
  }

  #keep(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.now));
    } catch {
      // A full or forbidden storage: the draft lives as long as the page.
    }
  }
}

export const draft = new KeptDraft();
