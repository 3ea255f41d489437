import "./started";
import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "$shared/ui/classes.css";
import { mount } from "svelte";
import { session } from "$shared/api/session.svelte";
import { app } from "$shared/install/app.svelte";
import { push } from "$shared/install/push.svelte";
import { notifications } from "$shared/notifications/notifications.svelte";
import { language } from "$shared/text/language.svelte";
import App from "./App.svelte";

language.start();
void session.start("customer");
app.start();
push.start();
notifications.start();
const target = document.getElementById("app");
if (target) mount(App, { target });
