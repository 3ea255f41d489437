// Measures the time from an offer until a phone in a pocket shows it: from the server's push, through a push service on
// this machine that adds nothing, to the notification that the app's worker shows. Run it alone:
//
//   ROADCALL_BIN=… OFFERS=40 npx playwright test --config tests/mechanic/bench.config.ts
import { newJob, newVehicle, north, signIn, until } from "../support/people";
import { PushService, workerOf, type Pushed } from "../support/pushes";
import { expect, somewhere, test, verified } from "./support";

const OFFERS = Number(process.env["OFFERS"] ?? 40);

interface Watched {
  registration: ServiceWorkerRegistration;
  shown: { tag: string; at: number }[];
}

test("from an offer to its notification", async ({ browser, service, admin }) => {
  const here = somewhere();
  const pushes = await PushService.start();
  const { context, page, person } = await verified(browser, service, admin, here);
  await pushes.take(context, service.url);
  await page.reload();
  await page.getByRole("button", { name: "I'm at my workshop or at home" }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "Wait here" }).click();
  await expect(page.getByText("You are waiting at your place")).toBeVisible();
  await page.goto("/");
  const deliver = await workerOf(context, page, service.url, "/mechanic/");
  const worker = context.serviceWorkers().find((one) => one.url().includes("/mechanic/"));
  if (!worker) throw new Error("the app has no worker");
  await worker.evaluate(() => {
    const scope = self as unknown as Watched;
    scope.shown = [];
    const show = scope.registration.showNotification.bind(scope.registration);
    scope.registration.showNotification = async (title, options) => {
      await show(title, options);
      scope.shown.push({ tag: options?.tag ?? "", at: Date.now() });
    };
  });

  const customer = await signIn(service, "Asha");
  const vehicle = await newVehicle(customer);
  const whole: number[] = [];
  const toService: number[] = [];
  for (let count = 0; count < OFFERS; count += 1) {
    const arrived = new Promise<[Pushed, number]>((resolve) => {
      pushes.onPush = (pushed) => {
        if (pushed.type === "job_offer") resolve([pushed, Date.now()]);
      };
    });
    const job = await newJob(customer, vehicle, north(here, 300 + count));
    const [pushed, at] = await arrived;
    await deliver(pushed);
    const id = pushed.data["offer_id"] ?? "";
    const shown = await until("the notification", () =>
      worker.evaluate(
        (tag) => (self as unknown as Watched).shown.find((one) => one.tag === tag)?.at ?? null,
        `job_offer-${id}`,
      ),
    );
    const offer = await person.get<{ created_at: string }>(`/offers/${id}`);
    const made = Date.parse(offer.created_at);
    whole.push(shown - made);
    toService.push(at - made);
    await customer.post(`/jobs/${job.id}/cancel`, { reason_code: "changed_mind" });
  }
  const percentile = (all: number[], share: number) =>
    [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.ceil(all.length * share) - 1)];
  for (const [what, all] of [
    ["offer made to push service", toService],
    ["offer made to notification", whole],
  ] as const)
    console.log(`${what}: ${all.length} offers, p50 ${percentile(all, 0.5)} ms, p99 ${percentile(all, 0.99)} ms`);
  await pushes.stop();
});
