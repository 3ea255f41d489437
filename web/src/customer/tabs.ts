import CarFront from "@lucide/svelte/icons/car-front";
import CircleUser from "@lucide/svelte/icons/circle-user";
import History from "@lucide/svelte/icons/history";
import LifeBuoy from "@lucide/svelte/icons/life-buoy";
import type { Tab } from "$shared/ui/Tabs.svelte";
import { m } from "$words";

/** `pattern` is the route of the current page. */
export const tabs = (pattern: string): Tab[] =>
  [
    { path: "/", name: m.customer_tab_help(), icon: LifeBuoy },
    { path: "/history", name: m.customer_history(), icon: History },
    { path: "/vehicles", name: m.customer_tab_vehicles(), icon: CarFront },
    { path: "/account", name: m.customer_account(), icon: CircleUser },
  ].map((tab) => ({ ...tab, isHere: tab.path === pattern }));
