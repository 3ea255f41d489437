// Brings what is wrong to where it can be seen: the first field of the page that is marked, in the middle of the
// screen, where no bar covers it.

/** Somebody sent a form and has typed nothing since: they wait for what is wrong with it. */
let isWaiting = false;
const TEXT = "textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])";

addEventListener("submit", () => (isWaiting = true), { capture: true });
addEventListener("input", () => (isWaiting = false), { capture: true });

/** Call it when `control` has been marked. Who is typing somewhere else goes on there. */
export function showFault(control: HTMLElement): void {
  const isTyping = document.activeElement !== control && document.activeElement?.matches(TEXT) === true;
  if (document.activeElement === control || (isTyping && !isWaiting)) return;
  // The first one speaks for all.
  if ([...document.querySelectorAll("[aria-invalid]")].find((other) => other === control || isSeen(other)) !== control)
    return;
  for (let around = control.closest("details"); around; around = around.parentElement?.closest("details") ?? null)
    around.open = true;
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: "center" });
}

/** A dialog that is closed hides its fields; a part that is folded does not count as hidden: it is opened. */
function isSeen(element: Element): boolean {
  const dialog = element.closest("dialog");
  return dialog === null || dialog.open;
}
