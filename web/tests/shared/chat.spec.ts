import { accessible, acceptedJob, enter, expect, picture, test, watch } from "./support";

test("customer and mechanic write to each other, and a network cut neither loses nor doubles anything", async ({
  browser,
  pages,
  service,
}) => {
  const { customer, mechanic, job } = await acceptedJob(service);
  const contexts = [
    await browser.newContext({
      baseURL: pages,
      permissions: ["geolocation"],
      geolocation: { latitude: 12.97, longitude: 77.59 },
    }),
    await browser.newContext({ baseURL: pages }),
  ] as const;
  const said = contexts.map(watch);
  await enter(contexts[0], pages, service, customer.phone);
  await enter(contexts[1], pages, service, mechanic.person.phone, "mechanic");
  const asha = await contexts[0].newPage();
  const manju = await contexts[1].newPage();
  await asha.setViewportSize({ width: 360, height: 640 });
  await asha.goto(`/#chat/${job.id}/customer`);
  await manju.goto(`/?app=mechanic#chat/${job.id}/mechanic`);
  const write = asha.getByRole("textbox", { name: "Write a message" });
  await expect(asha.getByText("No messages yet.")).toBeVisible();

  await write.fill("I am behind the temple");
  await write.press("Enter");
  await expect(manju.getByText("I am behind the temple")).toBeVisible();
  await expect(asha.getByLabel("Read")).toBeVisible();
  await manju.getByRole("textbox", { name: "Write a message" }).pressSequentially("Com");
  await expect(asha.getByText("Typing…")).toBeVisible();
  await manju.getByRole("textbox", { name: "Write a message" }).fill("Coming");
  await manju.getByRole("button", { name: "Send", exact: true }).click();
  await expect(asha.getByText("Coming")).toBeVisible();
  await expect(asha.getByText("Typing…")).toHaveCount(0);

  // The answer to a message is lost with the connection.
  await contexts[0].setOffline(true);
  await write.fill("Are you near?");
  await write.press("Enter");
  await write.fill("It is getting dark");
  await write.press("Enter");
  await expect(asha.getByText("Waiting for a connection")).toHaveCount(2);
  expect(await asha.evaluate(() => JSON.stringify({ ...localStorage }))).toContain("Are you near?");
  await manju.getByRole("textbox", { name: "Write a message" }).fill("Two minutes");
  await manju.getByRole("button", { name: "Send", exact: true }).click();
  await expect(manju.getByText("Two minutes")).toBeVisible();
  // The service has it before the other side can send anything.
  await expect(manju.getByText("Sending")).toHaveCount(0);
  await contexts[0].setOffline(false);
  await expect(asha.getByText("Two minutes")).toBeVisible();
  await expect(asha.getByText("Waiting for a connection")).toHaveCount(0);
  await expect(manju.getByText("It is getting dark")).toBeVisible();
  const { data } = await customer.get<{ data: { body: string }[] }>(`/jobs/${job.id}/messages`);
  expect(data.map(({ body }) => body)).toEqual([
    "I am behind the temple",
    "Coming",
    "Two minutes",
    "Are you near?",
    "It is getting dark",
  ]);
  await expect(asha.getByRole("log").getByText("Are you near?")).toHaveCount(1);

  await asha.getByRole("button", { name: "Send where I am" }).click();
  await expect(manju.getByRole("link", { name: /A place on the map/ })).toHaveAttribute("href", /12\.97/);
  await asha.getByLabel("Send a photo").setInputFiles(await picture(asha, 600, 400));
  await manju.getByRole("button", { name: "Open Photo" }).click();
  await expect(manju.getByRole("dialog", { name: "Photo" }).getByRole("img")).toBeVisible();
  await manju.keyboard.press("Escape");
  await accessible(asha);
  await accessible(manju);
  expect(said).toEqual([[], []]);
});

test("a text is a text, whatever is in it", async ({ page, context, pages, service }) => {
  const said = watch(context);
  const { customer, mechanic, job } = await acceptedJob(service);
  const text = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>`;
  await mechanic.person.write(job.id, text);
  await enter(context, pages, service, customer.phone);
  await page.goto(`/#chat/${job.id}/customer`);
  await expect(page.getByText(text)).toBeVisible();
  await expect(page).not.toHaveTitle("broken");
  expect(said).toEqual([]);
});

test("older messages come when they are looked for, and the count of unread ones is right", async ({
  page,
  context,
  pages,
  service,
}) => {
  test.slow();
  const { customer, mechanic, job } = await acceptedJob(service);
  for (let number = 1; number <= 60; number += 1) {
    const from = number % 2 === 0 ? customer : mechanic.person;
    await from.write(job.id, `Message ${number}.`);
  }
  await enter(context, pages, service, customer.phone);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`/#chat/${job.id}/customer`);
  await expect(page.getByText("Message 60.")).toBeInViewport();
  await expect(page.getByText("0 unread")).toBeVisible();
  await expect(page.getByText("Message 10.")).toHaveCount(0);
  await page.getByRole("log").evaluate((list) => list.scrollTo({ top: 0 }));
  await expect(page.getByText("Message 1.", { exact: true })).toBeAttached();
  // The visible messages stay in place.
  await expect(page.getByText("Message 11.")).toBeInViewport();
  await mechanic.person.write(job.id, "The newest");
  await page.getByRole("button", { name: "New messages" }).click();
  await expect(page.getByText("The newest")).toBeInViewport();
  await expect(page.getByText("0 unread")).toBeVisible();
});

test("the guest of a link writes to the mechanic", async ({ browser, pages, service }) => {
  const { customer, mechanic, job } = await acceptedJob(service);
  const { token } = await customer.post<{ token: string }>(`/jobs/${job.id}/shares`, { may_contact: true });
  const context = await browser.newContext({ baseURL: pages });
  const ravi = await context.newPage();
  await ravi.goto(`/#guest-chat/${token}`);
  await ravi.getByRole("textbox", { name: "Write a message" }).fill("I am at the gate");
  await ravi.getByRole("button", { name: "Send", exact: true }).click();
  await expect(ravi.getByText("Sending")).toHaveCount(0);
  await expect(ravi.getByRole("log").getByText("I am at the gate")).toHaveCount(1);
  await mechanic.person.write(job.id, "I see you");
  await expect(ravi.getByText("I see you")).toBeVisible();
  await context.setOffline(true);
  await ravi.getByRole("textbox", { name: "Write a message" }).fill("Here!");
  await ravi.getByRole("button", { name: "Send", exact: true }).click();
  await expect(ravi.getByText("Waiting for a connection")).toBeVisible();
  await context.setOffline(false);
  await expect(ravi.getByText("Waiting for a connection")).toHaveCount(0);
  const { data } = await customer.get<{ data: { body: string }[] }>(`/jobs/${job.id}/messages`);
  expect(data.map(({ body }) => body)).toEqual(["I am at the gate", "I see you", "Here!"]);
});
