/** Returns the handler of a form whose submission does this instead of loading a page. */
export const submits = (work: () => unknown) => (event: SubmitEvent) => {
  event.preventDefault();
  void work();
};
