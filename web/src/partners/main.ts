import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "$shared/ui/classes.css";
import { mount } from "svelte";
import { session } from "$shared/api/session.svelte";
import { language } from "$shared/text/language.svelte";
import App from "./App.svelte";

language.start();
void session.start("partners");
const target = document.getElementById("app");
if (target) mount(App, { target });
