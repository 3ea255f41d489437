import { signIn as newCustomer } from "../support/people";
import { accessible, expect, newPhone, signIn, test, watch } from "./support";

test("a new person signs in, gives their name, and stays signed in", async ({ page, context }) => {
  const said = watch(context);
  const phone = newPhone();
  await page.goto("/");
  await page.getByLabel("Mobile number").fill(phone.slice(3, 8));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("10 digits");

  await page.getByLabel("Mobile number").fill(`0${phone.slice(3, 8)} ${phone.slice(8)}`);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/6-digit code to/)).toBeVisible();
  const code = page.getByLabel("Code");
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  const right = /\d{6}/.exec(await page.getByText(/the code is/).innerText())?.[0] ?? "";
  // Six digits are submitted automatically; a wrong code is explained and can be replaced.
  await code.pressSequentially(right === "000000" ? "000001" : "000000");
  await expect(page.getByRole("alert")).toContainText("wrong or no longer valid");
  await expect(code).toHaveValue("");
  await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`);

  await page.getByLabel("Name").fill("Asha");
  await page.keyboard.press("Enter");
  await expect(page.getByText("customer")).toBeVisible();
  await page.reload();
  await expect(page.getByText("customer")).toBeVisible();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => !key.startsWith("roadcall-language"))),
  ).toEqual(["roadcall-device"]);
  expect(said).toEqual([]);
});

test("a device is known at the next sign-in, whoever signs in", async ({ page, context }) => {
  const phone = newPhone();
  // The browser does not expose the body of a request that was passed as a `Request` object.
  const sent: { path: string; body: object }[] = [];
  await page.exposeFunction("noteSent", (path: string, text: string) => {
    sent.push({ path, body: JSON.parse(text) as object });
  });
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = async (input, init) => {
      const text = input instanceof Request && input.url.includes("/auth/") ? await input.clone().text() : "";
      const { noteSent } = window as unknown as { noteSent: (path: string, text: string) => Promise<void> };
      if (input instanceof Request && text !== "") await noteSent(new URL(input.url).pathname, text);
      return send(input, init);
    };
  });
  const sentBy = async (action: () => Promise<void>, path: string) => {
    sent.length = 0;
    await action();
    const found = () => sent.find((request) => request.path.endsWith(path))?.body;
    await expect.poll(found).toBeDefined();
    return found();
  };
  const askFor = (number: string) => async () => {
    await page.getByLabel("Mobile number").fill(number);
    await page.keyboard.press("Enter");
  };
  await page.goto("/");
  expect(await sentBy(askFor(phone), "/auth/send-otp")).not.toHaveProperty("deviceToken");
  await page.getByRole("button", { name: "Fill in" }).click();
  await page.getByLabel("Name").fill("Asha");
  await page.keyboard.press("Enter");
  await expect(page.getByText("customer")).toBeVisible();
  const kept = () => page.evaluate(() => localStorage.getItem("roadcall-device"));
  const deviceToken = await kept();
  expect(deviceToken).not.toBeNull();

  // Without the session the sign-in appears again.
  await context.clearCookies();
  await page.reload();
  const other = newPhone();
  expect(await sentBy(askFor(other), "/auth/send-otp")).toMatchObject({ phone: other, deviceToken });
  const fillIn = () => page.getByRole("button", { name: "Fill in" }).click();
  expect(await sentBy(fillIn, "/auth/verify-otp")).toMatchObject({ phone: other, deviceToken });
  await expect(page.getByLabel("Name")).toBeVisible();
  expect(await kept()).not.toBeNull();
});

test("the step of the code is still there after a reload or a killed tab, without the code", async ({
  page,
  context,
}) => {
  const phone = newPhone();
  await page.goto("/");
  await page.getByLabel("Mobile number").fill(phone.slice(3));
  await page.keyboard.press("Enter");
  const code = /\d{6}/.exec(await page.getByText(/the code is/).innerText())?.[0] ?? "";
  await page.close();
  const again = await context.newPage();
  await again.goto("/");
  await expect(again.getByText(/6-digit code to/)).toBeVisible();
  expect(await again.evaluate(() => JSON.stringify(localStorage))).not.toContain(code);
  await again.getByRole("button", { name: "Use another number" }).click();
  await expect(again.getByLabel("Mobile number")).toHaveValue(phone.slice(3));
  await again.keyboard.press("Enter");
  await again.getByLabel("Code").fill(code);
  await again.getByLabel("Name").fill("Asha");
  await again.keyboard.press("Enter");
  await expect(again.getByText("customer")).toBeVisible();
});

test("a number that was sent a code a moment ago goes on to the code", async ({ page, request, service }) => {
  const phone = newPhone();
  const sent = await request.post(`${service.url}/api/v1/auth/send-otp`, { data: { phone } });
  const { data } = (await sent.json()) as { data: { otp: string } };
  await page.goto("/");
  await page.getByLabel("Mobile number").fill(phone);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/Send again in/)).toBeVisible();
  await page.getByLabel("Code").fill(data.otp);
  await page.getByLabel("Name").fill("Asha");
  await page.keyboard.press("Enter");
  await expect(page.getByText("customer")).toBeVisible();
});

test("too many wrong codes lock the number for a while", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Mobile number").fill(newPhone());
  await page.keyboard.press("Enter");
  const right = /\d{6}/.exec(await page.getByText(/the code is/).innerText())?.[0] ?? "";
  const wrong = right === "111111" ? "222222" : "111111";
  const code = page.getByLabel("Code");
  for (let tries = 0; tries < 5; tries += 1) {
    await expect(code).toHaveValue("");
    const answered = page.waitForResponse((response) => response.url().endsWith("/verify-otp"));
    await code.fill(wrong);
    await answered;
  }
  await expect(code).toHaveValue("");
  await code.fill(wrong);
  await expect(page.getByText(/Too many wrong codes. You can try again in/)).toBeVisible();
  await expect(code).toBeDisabled();
});

test("the language changes at once and is the one the service writes in", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Language").selectOption("kn");
  await expect(page.getByText("ಮೊಬೈಲ್ ಸಂಖ್ಯೆ")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("kn");
  await page.getByRole("combobox").selectOption("hi");
  await page.getByLabel("मोबाइल नंबर").fill(newPhone());
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "भर दें" }).click();
  const answered = page.waitForResponse(
    (response) => response.request().method() === "PATCH" && response.url().endsWith("/users/me"),
  );
  await page.getByLabel("नाम").fill("आशा");
  await page.keyboard.press("Enter");
  expect(await (await answered).json()).toMatchObject({ name: "आशा", language: "hi" });
});

test.describe("on a phone that is in Hindi", () => {
  test.use({ locale: "hi-IN" });

  test("the service writes in the language that people read, though they chose none", async ({ page, service }) => {
    const known = await newCustomer(service, "Asha");
    expect((await known.get<{ language: string }>("/users/me")).language).toBe("en");
    await page.goto("/");
    await page.getByLabel("मोबाइल नंबर").fill(known.phone);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "भर दें" }).click();
    await expect
      .poll(async () => (await known.get<{ language: string }>("/users/me")).language, "what the service writes in")
      .toBe("hi");
  });
});

test("without a connection at the start there is a page that says so and goes on by itself", async ({
  page,
  context,
}) => {
  await page.goto("/");
  await signIn(page, newPhone());
  await page.getByLabel("Name").fill("Asha");
  await page.keyboard.press("Enter");
  await expect(page.getByText("customer")).toBeVisible();
  let cut = true;
  await context.route("**/api/v1/**", (route) => (cut ? route.abort("internetdisconnected") : route.continue()));
  await page.reload();
  await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
  cut = false;
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(page.getByText("customer")).toBeVisible();
});

test("who is signed out elsewhere is asked to sign in again, and why", async ({ page, request, service }) => {
  await page.goto("/");
  await signIn(page, newPhone());
  const sent = page.waitForRequest((seen) => seen.method() === "PATCH" && seen.url().endsWith("/users/me"));
  await page.getByLabel("Name").fill("Asha");
  await page.keyboard.press("Enter");
  const authorization = (await (await sent).headerValue("authorization")) ?? "";
  await expect(page.getByText("customer")).toBeVisible();
  const ended = await request.post(`${service.url}/api/v1/auth/logout`, {
    headers: { authorization },
    data: { allDevices: true },
  });
  expect(ended.status()).toBe(204);
  await expect(page.getByText("You were signed out.")).toBeVisible();
  await expect(page.getByLabel("Mobile number")).toBeVisible();
});

test("has no barriers, and fits a narrow phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/");
  await page.getByLabel("Mobile number").fill("98");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await accessible(page);
  await page.getByLabel("Mobile number").fill(newPhone());
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Code")).toBeVisible();
  await accessible(page);
});
