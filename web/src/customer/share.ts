import "$shared/ui/fonts.css";
import "$shared/ui/tokens.css";
import { mount } from "svelte";
import SharePage from "./SharePage.svelte";

const target = document.getElementById("app");
if (target) mount(SharePage, { target });
