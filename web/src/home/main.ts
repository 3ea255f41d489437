import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "$shared/ui/classes.css";
import { mount } from "svelte";
import { language } from "$shared/text/language.svelte";
import App from "./App.svelte";

language.start();
const target = document.getElementById("app");
if (target) mount(App, { target });
