// The actions of keys. Pages add theirs while they are shown; the palette and the list of keys show them all.

export interface Action {
  title: string;
  /** A single key, such as "a"; without one, only the palette offers the action. */
  key?: string;
  run: () => void;
}

class Keys {
  actions: Action[] = $state.raw([]);

  /** Adds actions; returns a function that removes them: `onMount(() => keys.add([…]))`. */
  add(actions: Action[]): () => void {
    let isOver = false;
    queueMicrotask(() => {
      if (!isOver) this.actions = [...this.actions, ...actions];
    });
    return () => {
      isOver = true;
      this.actions = this.actions.filter((action) => !actions.includes(action));
    };
  }
}

export const keys = new Keys();

/** Returns whether a key is being typed into a field. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
