// A mechanic's earnings as a chart.
import { expect, test } from "../support/pages";
import { idle } from "./at-work";

test("the earnings of a day and of a week are a chart", async ({ open }) => {
  const { page, answers } = await open("mechanic");
  idle(answers);
  const asked: (string | null)[] = [];
  answers.give("GET /mechanics/me/stats", (stats, { query }) => {
    asked.push(query.get("step_s"));
    const begin = Date.parse(query.get("from") ?? "");
    const step = Number(query.get("step_s")) * 1000;
    const count = Math.round((Date.parse(query.get("to") ?? "") - begin) / step);
    const steps = Array.from({ length: count }, (_, index) => ({
      from: new Date(begin + index * step).toISOString(),
      jobs: index === 1 ? 2 : 0,
      earnings: index === 1 ? 508.3 : 0,
    }));
    return { ...stats, steps };
  });
  await page.goto("/mechanic/you/figures");
  const chart = page.getByRole("figure");
  await expect(chart.getByText("Highest: ₹508.30")).toBeVisible();
  await expect(chart.locator(".bar")).toHaveCount(8);
  await page.getByRole("button", { name: "This week" }).click();
  await expect(chart.locator(".bar")).toHaveCount(7);
  await expect(chart.getByRole("row", { name: "Tue ₹508.30" })).toBeAttached();
  expect(asked).toEqual(["10800", "86400"]);
});
