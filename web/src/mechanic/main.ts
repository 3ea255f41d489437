import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "$shared/ui/classes.css";
import { mount } from "svelte";
import { session } from "$shared/api/session.svelte";
import { wanted } from "$shared/chat/wanted.svelte";
import { app } from "$shared/install/app.svelte";
import { onOpened } from "$shared/install/opened";
import { push } from "$shared/install/push.svelte";
import { notifications } from "$shared/notifications/notifications.svelte";
import { router } from "$shared/router.svelte";
import { language } from "$shared/text/language.svelte";
import App from "./App.svelte";
import { offers } from "./offers/offers.svelte";
import { routes } from "./routes";
import { placeOf } from "./you/places";

language.start();
void session.start("mechanic");
notifications.start();
app.start();
push.start();
router.start("/mechanic", routes);
onOpened(({ type, data, action }) => {
  router.go(placeOf(type, data));
  const { offer_id: offer, job_id: job } = data;
  if (offer && (action === "accept" || action === "decline")) offers.press(offer, action);
  if (job && action === "chat") wanted.job = job;
});

const target = document.getElementById("app");
if (target) mount(App, { target });
