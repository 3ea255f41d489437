// Why money can't be withdrawn yet.
import { expect, test } from "vitest";
import { withheld } from "../../../src/mechanic/wallet/withheld";

type Wallet = Parameters<typeof withheld>[0];
const EMPTY: Wallet = {
  available: 0,
  held: 0,
  owed: 0,
  withdrawable: 0,
  currency: "INR",
  pending_withdrawals: 0,
  lifetime_earned: 0,
  lifetime_withdrawn: 0,
  next_release: null,
};
const at = "2026-03-17T08:40:00.000Z";

test("what can be withdrawn needs no reason, whatever else is held", () => {
  const wallet = { ...EMPTY, available: 150, withdrawable: 150, held: 80, next_release: { amount: 80, at } };
  expect(withheld(wallet, 10_000)).toEqual([]);
  expect(withheld({ ...wallet, withdrawable: 100 }, 10_000)).toEqual([]);
});

test("less than the smallest withdrawal says how much is missing, and what comes next", () => {
  const wallet = { ...EMPTY, available: 60.5, withdrawable: 60.5, held: 80, next_release: { amount: 80, at } };
  expect(withheld(wallet, 10_000)).toEqual([
    { why: "too_little", least: 10_000, missing: 3_950 },
    { why: "held", amount: 8_000, at },
  ]);
});

test("what is owed comes before what is held", () => {
  const wallet = { ...EMPTY, owed: -35, withdrawable: -35, held: 80, next_release: { amount: 80, at } };
  expect(withheld(wallet, 10_000).map(({ why }) => why)).toEqual(["owed", "held"]);
});

test("what waits for a decision has no time, and what is on its way out is not held", () => {
  expect(withheld({ ...EMPTY, held: 80 }, 10_000)).toEqual([{ why: "held", amount: 8_000, at: null }]);
  expect(withheld({ ...EMPTY, held: 80, pending_withdrawals: 80 }, 10_000)).toEqual([{ why: "nothing" }]);
  expect(withheld(EMPTY, 0)).toEqual([{ why: "nothing" }]);
});
