// The links of photos, which end soon.
import { expect, test } from "vitest";
import { keepLinks, pauseBeforeList, type PartnerPhoto } from "../../../src/partners/cases/photos";

const NOW = Date.parse("2026-03-14T08:30:00Z");

const photo = (file: string, signature: string, minutes: number, item: string | null = null): PartnerPhoto => ({
  stage: item === null ? "before" : null,
  line_item_id: item,
  url: `/uploads/${file}/content?signature=${signature}`,
  expires_at: new Date(NOW + minutes * 60_000).toISOString(),
  created_at: "2026-03-14T08:20:00.000Z",
});

test("a link stays while it is good, and another one replaces it before it ends", () => {
  const listed = [photo("a", "new", 5), photo("b", "new", 5)];
  const shown = keepLinks([photo("a", "old", 3), photo("b", "old", 0.5)], listed, NOW);
  expect(shown.map(({ url }) => url.split("=")[1])).toEqual(["old", "new"]);
});

test("photos are those of the new list, and one file may show the work and extra work", () => {
  const known = [photo("a", "old", 3), photo("gone", "old", 3)];
  const shown = keepLinks(known, [photo("a", "new", 5), photo("a", "new", 5, "item")], NOW);
  expect(shown.map(({ line_item_id, url }) => [line_item_id, url.split("=")[1]])).toEqual([
    [null, "old"],
    ["item", "new"],
  ]);
});

test("photos are listed often until their job has its outcome, and then only for links that end", () => {
  const photos = [photo("a", "new", 5), photo("b", "new", 4)];
  expect(pauseBeforeList(photos, false, NOW)).toBe(20_000);
  expect(pauseBeforeList(photos, true, NOW)).toBe(3 * 60_000);
  expect(pauseBeforeList([photo("a", "old", 0.5)], true, NOW)).toBe(20_000);
  expect(pauseBeforeList([], true, NOW)).toBeNull();
});
