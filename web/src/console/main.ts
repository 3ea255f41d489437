import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "$shared/ui/classes.css";
import "./console.css";
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });
