import ChartColumn from "@lucide/svelte/icons/chart-column";
import Menu from "@lucide/svelte/icons/menu";
import ReceiptText from "@lucide/svelte/icons/receipt-text";
import TriangleAlert from "@lucide/svelte/icons/triangle-alert";
import type { Tab } from "$shared/ui/Tabs.svelte";
import { m } from "$words";

/** `pattern` is the route of the current page. */
export const tabs = (pattern: string): Tab[] =>
  [
    { path: "/", name: m.partners_cases(), icon: TriangleAlert, below: ["/cases/:id"] },
    { path: "/bills", name: m.partners_bills(), icon: ReceiptText, below: [] },
    { path: "/report", name: m.partners_report(), icon: ChartColumn, below: [] },
    { path: "/more", name: m.partners_more(), icon: Menu, below: ["/keys", "/webhooks", "/deliveries"] },
  ].map(({ below, ...tab }) => ({ ...tab, isHere: tab.path === pattern || below.includes(pattern) }));
