// What an offer must not cover: a step of money, and text that somebody has typed and not yet sent.

/** Put this attribute on what has to stay in sight. */
const MONEY = "[data-keep-clear]";
const TEXT =
  "textarea, input:not([type]), input:is([type=text], [type=search], [type=email], [type=tel], [type=url], " +
  "[type=number])";

/** Fields that were typed in, until their form is sent. What left the page is dropped at the next look. */
const typed = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** Watches what is typed. Returns an end. */
export function watchTyping(): () => void {
  const onInput = ({ target }: Event) => {
    if (target instanceof Element && target.matches(TEXT)) typed.add(target as HTMLInputElement | HTMLTextAreaElement);
  };
  const onSubmit = ({ target }: Event) => {
    for (const field of typed) if (field.form === target) typed.delete(field);
  };
  addEventListener("input", onInput, { capture: true });
  addEventListener("submit", onSubmit, { capture: true });
  return () => {
    removeEventListener("input", onInput, { capture: true });
    removeEventListener("submit", onSubmit, { capture: true });
    typed.clear();
  };
}

export function isInTheWay(): boolean {
  for (const field of typed) if (!field.isConnected) typed.delete(field);
  return (
    [...typed].some(({ value }) => value.trim() !== "") ||
    [...document.querySelectorAll(MONEY)].some((step) => step.checkVisibility())
  );
}
