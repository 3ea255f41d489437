// Applies the chosen colour scheme before anything is drawn: runs in the head of every page, and `scheme.svelte.ts`
// takes over from there.
const chosen = localStorage.getItem("roadcall-scheme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
