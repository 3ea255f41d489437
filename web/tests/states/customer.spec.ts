// Every page of the customer's app, in each state of a call for help.
import type { Page } from "@playwright/test";
import { configure, examples, expect, type Answers, type Schemas } from "../support/pages";
import { at } from "./at-work";
import { arrived, atHome, done, IN_CASH_ALONE, missed, withJob } from "./customers";
import { desktop, phone, testStates, type Look, type State } from "./look";

const LOOKS: [Look, ...Look[]] = [
  { name: "phone-light-en", viewport: phone, colorScheme: "light", language: "en" },
  { name: "phone-dark-kn", viewport: phone, colorScheme: "dark", language: "kn" },
  { name: "phone-light-hi", viewport: phone, colorScheme: "light", language: "hi" },
  { name: "desktop-dark-en", viewport: desktop, colorScheme: "dark", language: "en" },
];

const ID = "019ceb77-7340-7b20-9e32-6d1f5aab2c01";
const JOB = `/jobs/${ID}`;
const nobody = { mechanic_profile_id: null, mechanic_first_name: null, accepted_at: null, promised_at: null };
/** Sets up a job that nobody has rated yet and that can still be rated. */
function unrated(answers: Answers): void {
  const ratable_until = new Date(Date.UTC(2026, 2, 21)).toISOString();
  answers.give("GET /jobs/{id}/ratings", (both) => ({ ...both, ratable_until, by_customer: null, by_mechanic: null }));
}

const scooter = {};
const car: Partial<Schemas["Vehicle"]> = {
  id: "019b7876-a4c0-7a10-8d21-5c0e4f9a1c02",
  vehicle_type: "four_wheeler",
  make: "Maruti Suzuki",
  model: "Swift Dzire",
  color: "White",
  registration_number: "KA05MH1234",
  is_default: false,
};

/** Offers two kinds of help: a flat tyre, and a tow. */
function kinds(answers: Answers): void {
  answers.give("GET /service-categories", (list) => ({
    ...list,
    data: [
      examples().of("ServiceCategory"),
      {
        ...examples().of("ServiceCategory"),
        id: "018f0000-0000-7000-8000-000000000005",
        name: "Towing",
        slug: "towing",
        destination: "required" as const,
        destination_per_km_price: 20,
        sort_order: 5,
      },
    ],
  }));
}

/** Goes to the page of the place by choosing a problem of the first vehicle. */
async function choose(page: Page, problem = 0): Promise<void> {
  await page.locator(".problem").nth(problem).click();
  await expect(page.locator(".sheet")).toBeVisible();
}

const STATES: State[] = [
  { name: "01-home-first", path: "/", answers: (answers) => atHome(answers, []), shows: ".types" },
  {
    name: "02-place-map",
    path: "/",
    answers: (answers) => atHome(answers, [scooter]),
    act: (page) => choose(page),
    shows: ".pin",
    hasMap: true,
  },
  {
    name: "03-vehicle-missing",
    path: "/",
    answers: (answers) => atHome(answers, []),
    act: async (page) => {
      await page.locator(".type").first().click();
      await choose(page);
      await page.locator(".sheet button[type=submit]").click();
      await expect(page.locator("input.plate")).toBeVisible();
      await page.locator("form button[type=submit]").click();
    },
    shows: "input.plate",
    withFaults: true,
  },
  { name: "04-home", path: "/", answers: (answers) => atHome(answers, [scooter, car]), shows: ".vehicles" },
  {
    name: "05-price",
    path: "/",
    answers: (answers) => atHome(answers, [scooter, car]),
    act: async (page) => {
      await choose(page);
      await page.locator(".sheet input:not([role=combobox])").fill("Opposite the post office, blue gate");
      await page.locator(".sheet button[type=submit]").click();
      await expect(page.locator(".amount")).toBeVisible();
      await page.locator("details summary").nth(1).click();
      await page.locator("details .check input").first().check();
    },
    shows: ".amount",
  },
  {
    name: "26-destination",
    path: "/",
    answers: (answers) => {
      atHome(answers, [car]);
      kinds(answers);
    },
    act: async (page) => {
      await choose(page, 1);
      await page.locator(".sheet button[type=submit]").click();
      await expect(page).toHaveURL(/\/request\/destination$/);
      await page
        .locator("label", { has: page.locator("input[type=radio]") })
        .last()
        .click();
    },
    shows: ".pin",
    hasMap: true,
  },
  {
    name: "06-searching",
    path: JOB,
    answers: (answers) => withJob(answers, { ...nobody, status: "dispatching", seq: 1 }),
    shows: ".actions",
    hasMap: true,
  },
  {
    name: "07-on-the-way",
    path: JOB,
    answers: (answers) => withJob(answers, { status: "en_route", en_route_at: at(31) }),
    shows: ".eta",
    hasMap: true,
  },
  {
    name: "08-share",
    path: JOB,
    answers: (answers) => withJob(answers, { status: "en_route", en_route_at: at(31) }),
    act: async (page) => {
      await page.locator(".actions button").first().click();
      await page.locator("dialog[open] .button.primary").click();
    },
    shows: "dialog[open] input.link",
    hasMap: true,
  },
  {
    name: "09-cancel",
    path: JOB,
    answers: (answers) => withJob(answers, { status: "en_route", en_route_at: at(31) }),
    act: (page) => page.locator(".actions .danger").click(),
    shows: "dialog[open] fieldset",
    hasMap: true,
  },
  {
    name: "10-arrived",
    path: JOB,
    answers: (answers) => withJob(answers, { ...arrived, status: "arrived" }),
    shows: ".code.now",
    hasMap: true,
  },
  {
    name: "11-items",
    path: JOB,
    answers: (answers) => {
      withJob(answers, { ...arrived, status: "in_progress", started_at: at(37) });
      answers.give("GET /jobs/{id}/line-items", (list) => ({
        ...list,
        data: [
          {
            ...examples().of("LineItem"),
            description: "New inner tube",
            quantity: 2,
            total: 240,
            status: "approved" as const,
          },
          { ...examples().of("LineItem"), id: "019ceb7f-8aa0-7b20-9e32-6d1f5aab2b02" },
        ],
      }));
    },
    shows: ".items.asks li >> nth=1",
  },
  {
    name: "12-completed",
    path: JOB,
    answers: (answers) => {
      withJob(answers, done);
      unrated(answers);
    },
    act: (page) => page.locator(".stars label").nth(4).click(),
    shows: ".rate",
  },
  { name: "13-pay", path: `${JOB}/pay`, answers: (answers) => withJob(answers, done), shows: ".amount" },
  {
    name: "14-test-payment",
    path: `${JOB}/pay`,
    answers: (answers) => {
      withJob(answers, done);
      answers.give("GET /payments/{id}", (payment) => ({
        ...payment,
        status: "created" as const,
        is_open: true,
        method: null,
        gateway_payment_id: null,
        captured_at: null,
      }));
    },
    act: (page) => page.locator(".button.primary").click(),
    shows: ".test",
  },
  {
    name: "15-paid",
    path: `${JOB}/pay`,
    answers: (answers) => withJob(answers, { ...done, status: "paid" }, [{}]),
    shows: ".done",
  },
  {
    name: "16-job-paid",
    path: JOB,
    answers: (answers) => {
      withJob(answers, { ...done, status: "paid" }, [{}]);
      unrated(answers);
    },
    shows: ".rate",
  },
  {
    name: "17-dispute-new",
    path: `${JOB}/dispute`,
    answers: (answers) => withJob(answers, { ...done, status: "paid" }, [{}]),
    shows: "form fieldset",
  },
  {
    name: "18-dispute",
    path: `${JOB}/dispute`,
    answers: (answers) => {
      withJob(answers, { ...done, status: "disputed", disputed_at: at(41) }, [{}]);
      answers.give("GET /jobs/{id}/dispute/statements", (list) => ({
        ...list,
        data: [examples().of("DisputeStatement")],
      }));
    },
    shows: "ol li >> nth=1",
  },
  {
    name: "19-cancelled",
    path: JOB,
    answers: (answers) =>
      withJob(answers, { status: "cancelled", cancelled_at: at(40), cancel_reason_code: "changed_mind" }),
    shows: "h1",
  },
  { name: "20-history", path: "/history", shows: ".card" },
  { name: "21-vehicles", path: "/vehicles", shows: "main li" },
  {
    name: "22-vehicle",
    path: "/vehicles",
    act: (page) => page.locator("main li a").last().click(),
    shows: "input.plate",
  },
  { name: "23-fees", path: "/fees", shows: "h1" },
  { name: "24-account", path: "/account", shows: "h1" },
  { name: "25-notifications", path: "/notifications", shows: "h1" },
  { name: "27-no-show", path: JOB, answers: (answers) => missed(answers, { status: "due" }), shows: "textarea" },
  {
    name: "28-no-show-contested",
    path: JOB,
    answers: (answers) => missed(answers, { status: "open", statement: "I was beside the scooter all the time" }),
    shows: ".notice",
  },
  {
    name: "29-pay-in-cash-alone",
    path: `${JOB}/pay`,
    answers: (answers) => {
      withJob(answers, done);
      configure(answers, { payments: IN_CASH_ALONE });
    },
    shows: ".button.primary",
  },
  {
    name: "30-fees-in-cash-alone",
    path: "/fees",
    answers: (answers) => configure(answers, { payments: IN_CASH_ALONE }),
    shows: ".notice",
  },
];

testStates("customer", STATES, LOOKS);
