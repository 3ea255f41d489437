const EVERY_MS = 1_000;

/** Shows a text in the tab's title, in turn with the page's own. Returns a function that ends that. */
export function announceInTitle(text: () => string): () => void {
  let own = document.title;
  let shown: string | null = null;
  const turn = () => {
    if (document.title === shown) document.title = own;
    else {
      // Another page may have set its own title meanwhile.
      own = document.title;
      document.title = shown = text();
    }
  };
  turn();
  const timer = setInterval(turn, EVERY_MS);
  return () => {
    clearInterval(timer);
    if (document.title === shown) document.title = own;
  };
}
