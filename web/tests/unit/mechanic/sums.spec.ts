// A mechanic's earnings and their parts.
import { expect, test } from "vitest";
import { partsOf } from "../../../src/mechanic/wallet/sums";

test("the parts of figures and settlements add up to what the mechanic gets", () => {
  const cases = [
    // A job of 99 was refunded, and so was its commission of 14.85.
    { earned: { gross: 99, commission: 14.85, tax: 0, refunds: 99 }, result: 0 },
    { earned: { gross: 600, commission: 90, tax: 30, refunds: 50, cash_collected: 300 }, result: 145 },
    { earned: { gross: 0, commission: 0, tax: 0, refunds: 0 }, result: 0 },
    { earned: { gross: 0.3, commission: 0.1, tax: 0.1, refunds: 0 }, result: 0.1 },
  ];
  for (const { earned, result } of cases) {
    const sum = partsOf(earned, result).reduce((total, part) => total + part.paise, 0);
    expect(sum, JSON.stringify(earned)).toBe(Math.round(result * 100));
  }
  expect(partsOf(cases[0]!.earned, 0).map(({ kind, paise }) => [kind, paise])).toEqual([
    ["gross", 9_900],
    ["commission", -1_485],
    ["refunds", -9_900],
    ["given_back", 1_485],
  ]);
  expect(partsOf(cases[2]!.earned, 0)).toEqual([{ kind: "gross", paise: 0 }]);
});
