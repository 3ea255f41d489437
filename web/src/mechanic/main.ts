import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import { mount } from "svelte";
import { session } from "$shared/api/session.svelte";
import { app } from "$shared/install/app.svelte";
import { onOpened } from "$shared/install/opened";
import { push } from "$shared/install/push.svelte";
import { notifications } from "$shared/notifications/notifications.svelte";
import { router } from "$shared/router.svelte";
import { language } from "$shared/text/language.svelte";
import App from "./App.svelte";
import { routes } from "./routes";
import { placeOf } from "./you/places";

language.start();
void session.start("mechanic");
notifications.start();
app.start();
push.start();
router.start("/mechanic", routes);
onOpened(({ type, data }) => router.go(placeOf(type, data)));

const target = document.getElementById("app");
if (target) mount(App, { target });
