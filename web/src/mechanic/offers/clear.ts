// The content that an offer must not cover: a money step, and typed text that is not sent yet.

/** Elements with this attribute stay visible. */
const MONEY = "[data-keep-clear]";
const TEXT =
  "textarea, input:not([type]), input:is([type=text], [type=search], [type=email], [type=tel], [type=url], " +
  "[type=number])";

/** Fields with typed text, until their form is sent. Fields that left the page are dropped at the next check. */
const typed = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** Watches typing. Returns a function that ends this. */
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
