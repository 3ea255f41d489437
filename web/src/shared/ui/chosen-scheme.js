// Dark or light as the person chose, before anything is drawn: runs in the head of every page, and `scheme.svelte.ts`
// goes on from there.
const chosen = localStorage.getItem("roadcall-scheme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
