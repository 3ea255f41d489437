// Dark or light: as the device says, or as the person chose.
export type Choice = "auto" | "light" | "dark";

const KEY = "roadcall-scheme";
const dark = matchMedia("(prefers-color-scheme: dark)");

class SchemeChoice {
  choice: Choice = $state(read());
  #deviceIsDark = $state(dark.matches);
  current: "light" | "dark" = $derived(this.choice === "auto" ? (this.#deviceIsDark ? "dark" : "light") : this.choice);

  constructor() {
    dark.addEventListener("change", (event) => (this.#deviceIsDark = event.matches));
    this.#show();
  }

  choose(choice: Choice): void {
    this.choice = choice;
    localStorage.setItem(KEY, choice);
    this.#show();
  }

  #show(): void {
    if (this.choice === "auto") delete document.documentElement.dataset["scheme"];
    else document.documentElement.dataset["scheme"] = this.choice;
  }
}

function read(): Choice {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

export const scheme = new SchemeChoice();
