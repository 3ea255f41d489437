// How the console parses the address that an identity provider sends people back to.
import { expect, test } from "vitest";
import { placeOf, refusedBecause, returnedBy } from "../../../src/console/shell/returned";

test("an answer has a code and a state, or a reason", () => {
  expect(returnedBy("?code=a%2Bb&state=s&iss=https%3A%2F%2Fid.example")).toEqual({
    kind: "signed_in",
    code: "a+b",
    state: "s",
    iss: "https://id.example",
  });
  expect(returnedBy("?code=a&state=s")).toMatchObject({ iss: null });
  expect(returnedBy("?error=access_denied&state=s&code=a")).toEqual({ kind: "refused", reason: "access_denied" });
  for (const odd of ["", "?code=a", "?state=s", "?code=&state=s"]) expect(returnedBy(odd)).toBeNull();
});

test("a reason that is no name is not shown", () => {
  expect(returnedBy("?error=Call%20%2B91%2098765")).toEqual({ kind: "refused", reason: null });
  expect(refusedBecause(null)).toBe("The identity provider refused the sign-in. Tell whoever runs this service.");
  expect(refusedBecause("invalid_scope")).toContain("(invalid_scope)");
  expect(refusedBecause("access_denied")).not.toContain("access_denied");
});

test("people go back to a place of the console, and nowhere else", () => {
  expect(placeOf("/console/jobs?status=searching")).toBe("/console/jobs?status=searching");
  expect(placeOf("/console/")).toBe("/console/");
  for (const odd of [
    null,
    "",
    "/",
    "/customer/",
    "//evil.example/console/",
    "https://evil.example/console/",
    "/console/../customer/",
    "/console/..//evil.example",
    "/console/\\..\\..\\customer",
    "/console/sign-in?code=a&state=s",
    "/console/sign-in/",
    "/console/invite",
    "javascript:alert(1)",
  ])
    expect(placeOf(odd)).toBe("/console/");
});
