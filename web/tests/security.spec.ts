// Restrictions that a browser enforces because the served pages request them.
import { createServer, type Server } from "node:http";
import { listen, stop } from "./support/listening";
import { expect, test } from "./support/test";

const pages = ["/", "/customer/", "/mechanic/", "/console/", "/partners/", "/track/not-a-token"];

/** Serves a page of another site: to a browser, `localhost` is not `127.0.0.1`. */
async function otherSite(html: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  return { url: `http://localhost:${await listen(server)}/`, server };
}

for (const path of pages) {
  test(`${path} allows only its own scripts and can't be framed`, async ({ page, service }) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy|Content-Security-Policy/.test(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    const response = await page.goto(path, { waitUntil: "networkidle" });
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(response?.headers()["x-content-type-options"]).toBe("nosniff");
    await expect(page.locator("h1")).toBeVisible();
    expect(complaints).toEqual([]);
    const ran = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.wasInjected = true";
      document.body.append(script);
      return "wasInjected" in window;
    });
    expect(ran).toBe(false);

    const { url, server } = await otherSite(`<iframe src="${service.url}${path}"></iframe>`);
    const refused = page.waitForEvent("console", (message) => /frame-ancestors|X-Frame-Options/i.test(message.text()));
    await page.goto(url);
    await refused;
    await stop(server);
  });
}

test("a sign-in leaves nothing that a script could read, and another site can't use its cookie", async ({
  page,
  context,
  service,
}) => {
  await page.goto("/customer/");
  const phone = "+919812300001";
  const body = await page.evaluate(async (phone) => {
    const post = (path: string, body: object) =>
      fetch(`/api/v1/auth/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "X-Session": "cookie/customer" },
        body: JSON.stringify(body),
      }).then((response) => response.json());
    const { data } = await post("send-otp", { phone });
    return post("verify-otp", { phone, otp: data.otp, name: "Asha" });
  }, phone);
  expect(body.data.accessToken).toBeTruthy();
  expect(body.data.refreshToken).toBeUndefined();
  await page.reload({ waitUntil: "networkidle" });

  const cookies = await context.cookies(`${service.url}/api/v1/auth/refresh`);
  expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
    { name: "roadcall_session_customer", httpOnly: true, sameSite: "Strict" },
  ]);
  const kept = await page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases]);
  });
  expect(kept).not.toContain(body.data.accessToken);
  expect(kept).not.toMatch(/eyJ[\w-]+\.[\w-]+/);
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const found = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    return found.flat().filter((url) => url.includes("/api/"));
  });
  expect(cached).toEqual([]);

  const { url, server } = await otherSite("<p>another site</p>");
  await page.goto(url);
  const outcomes = await page.evaluate(async (service) => {
    const attempt = (init: RequestInit) =>
      fetch(`${service}/api/v1/auth/refresh`, { method: "POST", credentials: "include", ...init }).then(
        async (response) => response.status,
        () => "refused by the browser",
      );
    return [
      await attempt({ headers: { "content-type": "application/json", "X-Session": "cookie/customer" }, body: "{}" }),
      await attempt({ mode: "no-cors", headers: { "content-type": "text/plain" }, body: "{}" }),
    ];
  }, service.url);
  // The second is sent, but without the cookie, and its answer can't be read.
  expect(outcomes).toEqual(["refused by the browser", 0]);
  await stop(server);
  const still = await context.cookies(`${service.url}/api/v1/auth/refresh`);
  expect(still.map(({ value }) => value)).toEqual(cookies.map(({ value }) => value));
});

test("a refresh whose answer was lost is repeated as the same attempt, and tabs take turns", async ({
  page,
  context,
}) => {
  await page.goto("/customer/");
  await page.evaluate(async (phone) => {
    const post = (path: string, body: object) =>
      fetch(`/api/v1/auth/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "X-Session": "cookie/customer" },
        body: JSON.stringify(body),
      }).then((response) => response.json());
    const { data } = await post("send-otp", { phone });
    await post("verify-otp", { phone, otp: data.otp, name: "Asha" });
  }, "+919812300002");

  const attempts: string[] = [];
  const statuses: number[] = [];
  let underWay = 0;
  let most = 0;
  let loses = true;
  await context.route("**/auth/refresh", async (route) => {
    attempts.push(route.request().headers()["x-attempt"] ?? "");
    underWay += 1;
    most = Math.max(most, underWay);
    const answer = await route.fetch();
    underWay -= 1;
    statuses.push(answer.status());
    if (loses) {
      loses = false;
      return route.abort();
    }
    return route.fulfill({ response: answer });
  });
  const refreshed = () =>
    page.waitForResponse((response) => response.url().endsWith("/auth/refresh") && response.status() === 200);
  const answered = refreshed();
  await page.reload();
  await answered;
  expect(attempts).toHaveLength(2);
  expect(attempts[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(attempts[1]).toBe(attempts[0]);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("roadcall-attempt-customer"))).toBeNull();

  const another = await context.newPage();
  await Promise.all([
    page.reload({ waitUntil: "networkidle" }),
    another.goto("/customer/", { waitUntil: "networkidle" }),
  ]);
  // The tab whose turn is second may already have the first one's token by then.
  expect(statuses.slice(2).every((status) => status === 200)).toBe(true);
  expect(statuses.length).toBeGreaterThan(2);
  expect(new Set(attempts).size).toBe(attempts.length - 1);
  expect(most).toBe(1);
});
