/** Calls this whenever the person returns to the page. Returns a function that ends that. */
export function onVisible(then: () => void): () => void {
  const seen = () => {
    if (document.visibilityState === "visible") then();
  };
  document.addEventListener("visibilitychange", seen);
  return () => document.removeEventListener("visibilitychange", seen);
}
