import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "./console.css";
import { mount } from "svelte";
import { scheme } from "$shared/ui/scheme.svelte";
import App from "./App.svelte";

// Dark unless the person chose otherwise.
if (scheme.choice === "auto") {
  scheme.choice = "dark";
  document.documentElement.dataset["scheme"] = "dark";
}

const target = document.getElementById("app");
if (target) mount(App, { target });
