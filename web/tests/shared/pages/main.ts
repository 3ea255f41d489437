import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "$shared/ui/classes.css";
import { mount } from "svelte";
import { session } from "$shared/api/session.svelte";
import { language } from "$shared/text/language.svelte";
import Pages from "./Pages.svelte";

language.start();
// `/?app=mechanic` opens the mechanic's session.
void session.start(new URLSearchParams(location.search).get("app") === "mechanic" ? "mechanic" : "customer");
const target = document.getElementById("app");
if (target) mount(Pages, { target });
