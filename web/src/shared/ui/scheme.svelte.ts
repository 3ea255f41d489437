// The colour scheme: the device's, or the one that the person chose.
export type Choice = "auto" | "light" | "dark";

const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

class SchemeChoice {
  /** `chosen-scheme.js` has marked the page with it. */
  choice: Choice = $state((root.dataset["scheme"] as Choice | undefined) ?? "auto");
  #deviceIsDark = $state(dark.matches);
  current: "light" | "dark" = $derived(this.choice === "auto" ? (this.#deviceIsDark ? "dark" : "light") : this.choice);

  constructor() {
    dark.addEventListener("change", (event) => (this.#deviceIsDark = event.matches));
  }

  choose(choice: Choice): void {
    this.choice = choice;
    localStorage.setItem("roadcall-scheme", choice);
    if (choice === "auto") delete root.dataset["scheme"];
    else root.dataset["scheme"] = choice;
  }
}

export const scheme = new SchemeChoice();
