// Every page of the mechanic's app, in each state of a mechanic and their job.
import type { Page } from "@playwright/test";
import { examples, expect, type Answers, type Schemas } from "../support/pages";
import { arrived, at, atWork, driving, idle, keepDelivery, profile, towing, working } from "./at-work";
import { phone, testStates, type Look, type State } from "./look";

const LOOKS: [Look, ...Look[]] = [
  { name: "phone-light-en", viewport: phone, colorScheme: "light", language: "en" },
  { name: "phone-light-kn", viewport: phone, colorScheme: "light", language: "kn" },
  { name: "phone-dark-hi", viewport: { width: 412, height: 915 }, colorScheme: "dark", language: "hi" },
];

const ID = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";

function withItems(answers: Answers, ...items: Partial<Schemas["LineItem"]>[]): void {
  answers.give("GET /jobs/{id}/line-items", (list) => ({
    ...list,
    data: items.map((item) => ({ ...examples().of("LineItem"), ...item })),
  }));
}

function offered(answers: Answers): void {
  idle(answers);
  answers.give("GET /mechanics/me/offers", (list) => ({
    ...list,
    data: [{ ...examples().of("Offer"), created_at: at(41), expires_at: at(43) }],
  }));
}

const done = {
  ...working,
  status: "completed",
  completed_at: at(40),
  final_price: 299,
  outcome: "fixed",
} as const;
const inCash: Partial<Schemas["Payment"]> = {
  channel: "cash",
  gateway: null,
  method: null,
  cash_confirmed_by_customer_at: at(40),
  cash_confirmed_by_mechanic_at: at(40),
};
/** No provider can tell whose account it is. */
const unknownToBanks = { verification_status: "name_mismatch", name_at_bank: null, name_match_score: null } as const;

const pages: [name: string, path: string][] = [
  ["15-jobs", "/jobs"],
  ["16-past-job", `/jobs/${ID}`],
  ["17-wallet", "/wallet"],
  ["18-withdraw", "/wallet/withdraw"],
  ["19-upi", "/wallet/upi"],
  ["20-statement", "/wallet/statement"],
  ["21-settlements", "/wallet/settlements"],
  ["22-disputes", "/wallet/disputes"],
  ["23-you", "/you"],
  ["24-work-profile", "/you/work"],
  ["25-documents", "/you/documents"],
  ["26-ratings", "/you/ratings"],
  ["27-figures", "/you/figures"],
  ["28-notifications", "/you/notifications"],
  ["29-account", "/you/account"],
];

const STATES: State[] = [
  { name: "01-welcome", path: "/", answers: (answers) => profile(answers, null), shows: "ol" },
  { name: "02-register", path: "/register", answers: (answers) => profile(answers, null), shows: "fieldset" },
  {
    name: "03-offline",
    path: "/",
    answers: (answers) => idle(answers, { is_available: false }),
    shows: ".go",
    hasMap: true,
  },
  { name: "04-online", path: "/", answers: (answers) => idle(answers), shows: ".state.on", hasMap: true },
  { name: "05-offer", path: "/", answers: offered, shows: "dialog .accept", hasMap: true },
  {
    name: "06-decline",
    path: "/",
    answers: offered,
    act: (page: Page) => page.locator("dialog .decline").click(),
    shows: "dialog .answer > button",
    hasMap: true,
  },
  { name: "07-accepted", path: "/job", answers: (answers) => atWork(answers, {}), shows: ".place" },
  {
    name: "08-too-far",
    path: "/job",
    answers: (answers) => {
      atWork(answers, { ...driving, pickup_lat: 12.99 });
      answers.refuse("POST /jobs/{id}/arrive", 409, "TOO_FAR_FROM_PICKUP");
    },
    act: (page) => page.locator(".next > button").click(),
    shows: "dialog[open] textarea",
  },
  { name: "09-arrived", path: "/job", answers: (answers) => atWork(answers, arrived), shows: ".start input" },
  {
    name: "10-item",
    path: "/job",
    answers: (answers) => atWork(answers, working),
    act: (page) => page.locator(".items > button").click(),
    shows: "dialog[open] form",
  },
  {
    name: "11-work",
    path: "/job",
    answers: (answers) => {
      atWork(answers, working);
      withItems(answers, { description: "Inner tube, 17 inches", unit_price: 250.5, total: 250.5 });
    },
    shows: ".items li",
  },
  {
    name: "12-complete",
    path: "/job",
    answers: (answers) => {
      atWork(answers, working);
      withItems(answers, { status: "approved" });
    },
    act: (page) => page.locator(".page > .stack > button.primary").click(),
    shows: "dialog[open] fieldset",
  },
  { name: "13-payment", path: "/job", answers: (answers) => atWork(answers, done), shows: ".payment" },
  {
    name: "14-paid",
    path: "/job",
    answers: (answers) => atWork(answers, { ...done, status: "paid" }, [inCash]),
    act: (page) => page.locator(".stars label").nth(3).click(),
    shows: ".payment.paid",
  },
  {
    name: "30-delivered-elsewhere",
    path: "/job",
    answers: (answers) => atWork(answers, towing()),
    act: async (page) => {
      await page.evaluate(keepDelivery, { jobId: ID, reason: "The road is closed" });
      await page.reload();
      await page.getByRole("button", { name: "Delivered" }).click();
    },
    shows: "dialog[open] textarea >> nth=1",
  },
  {
    name: "31-tracker-problem",
    path: "/you/trackers",
    answers: (answers) => {
      idle(answers);
      answers.give("GET /mechanics/me/trackers", (list) => ({
        ...list,
        data: [{ ...examples().of("Tracker"), problem: examples().of("TrackerProblem") }],
      }));
    },
    shows: ".problem",
  },
  {
    name: "32-upi-by-hand",
    path: "/wallet/upi",
    answers: (answers) => {
      idle(answers);
      answers.give("GET /wallet/upi", (list) => ({
        ...list,
        data: [{ ...examples().of("UpiAccount"), ...unknownToBanks }],
      }));
    },
    shows: "main li",
  },
  ...pages.map(([name, path]): State => ({
    name,
    path,
    answers: (answers) => idle(answers),
    act: (page) => expect(page.locator("h1")).toHaveCount(1),
    shows: "h1",
  })),
];

testStates("mechanic", STATES, LOOKS);
