// Brings an error into view: the first marked field of the page is moved to the middle of the screen, where no bar
// covers it.

/** Whether somebody submitted a form and has typed nothing since: they wait for its errors. */
let isWaiting = false;
const TEXT = "textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])";

addEventListener("submit", () => (isWaiting = true), { capture: true });
addEventListener("input", () => (isWaiting = false), { capture: true });

/** Call it after `control` has been marked. A person typing somewhere else is not interrupted. */
export function showFault(control: HTMLElement): void {
  const isTyping = document.activeElement !== control && document.activeElement?.matches(TEXT) === true;
  if (document.activeElement === control || (isTyping && !isWaiting)) return;
  // Only the first one is shown.
  if ([...document.querySelectorAll("[aria-invalid]")].find((other) => other === control || isSeen(other)) !== control)
    return;
  for (let around = control.closest("details"); around; around = around.parentElement?.closest("details") ?? null)
    around.open = true;
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: "center" });
}

/** Reports whether an element can be seen: not in a closed dialog. A folded part counts, because it is opened. */
function isSeen(element: Element): boolean {
  const dialog = element.closest("dialog");
  return dialog === null || dialog.open;
}
