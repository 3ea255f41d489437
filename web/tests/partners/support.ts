// Members of partners in their own app.
import type { BrowserContext } from "@playwright/test";
import type { Schemas } from "../support/examples";
import type { Partner } from "../support/partners";
import { newAdmin, newPhone, type Person } from "../support/people";
import type { Service } from "../support/service";
import { enter } from "../support/signin";
import { test as base } from "../support/test";

export { expect } from "@playwright/test";

export const HERE = { lat: 12.9716, lng: 77.5946 };

export const test = base.extend<object, { admin: Person }>({
  admin: [async ({ service }, use) => use(await newAdmin(service)), { scope: "worker" }],
});

/** Adds a member to an organisation, and signs the browser in as them. */
export async function enterAs(
  context: BrowserContext,
  service: Service,
  admin: Person,
  { organisation }: Partner,
  role: Schemas["MemberRole"],
): Promise<void> {
  const phone = newPhone();
  await admin.post(`/admin/organisations/${organisation.id}/members`, {
    phone,
    name: "Farah Khan",
    role,
  });
  await enter(context, service.url, service, phone, "partners");
}
