import Bike from "@lucide/svelte/icons/bike";
import CircleUser from "@lucide/svelte/icons/circle-user";
import ClipboardList from "@lucide/svelte/icons/clipboard-list";
import Wallet from "@lucide/svelte/icons/wallet";
import type { Tab } from "$shared/ui/Tabs.svelte";
import { m } from "$words";

/** Returns the tabs. `path` is the current page; without a profile there are no jobs and no money to show. */
export function tabs(path: string, hasProfile: boolean, unread: number): Tab[] {
  const all = [
    { path: "/", name: m.mechanic_tab_work(), icon: Bike },
    { path: "/jobs", name: m.mechanic_tab_jobs(), icon: ClipboardList },
    { path: "/wallet", name: m.mechanic_tab_wallet(), icon: Wallet },
    { path: "/you", name: m.mechanic_tab_you(), icon: CircleUser },
  ];
  return all
    .filter((tab) => hasProfile || tab.path === "/" || tab.path === "/you")
    .map((tab) => ({
      ...tab,
      isHere: tab.path === "/" ? path === "/" || path === "/job" : path.startsWith(tab.path),
      news: tab.path === "/you" && unread > 0 ? m.shared_chat_unread({ count: unread }) : null,
    }));
}
