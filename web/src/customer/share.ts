import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import "$shared/ui/classes.css";
import { mount } from "svelte";
import { chooseLocale } from "./track/locale";
import SharePage from "./SharePage.svelte";

chooseLocale();
const target = document.getElementById("app");
if (target) mount(SharePage, { target });
