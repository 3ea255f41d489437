import { expect, test } from "vitest";
import { codeOf, phoneOf, showPhone } from "../../../src/shared/signin/phone";

test("numbers are read in every form that people type and paste", () => {
  const same = [
    "9876543210",
    "98765 43210",
    "+91 98765-43210",
    "+919876543210",
    "098765 43210",
    "00919876543210",
    "919876543210",
    "(98765) 43210",
    "\u202a+91 98765 43210\u202c",
    "९८७६५४३२१०",
    "೯೮೭೬೫೪೩೨೧೦",
  ];
  for (const text of same) expect(phoneOf(text, "+91"), text).toBe("+919876543210");
  expect(phoneOf("+44 7700 900123", "+91")).toBe("+447700900123");
  expect(phoneOf("07700 900123", "+44")).toBe("07700900123");
  expect(phoneOf("02 1234 5678", "+39")).toBe("0212345678");
});

test("what is no number is refused", () => {
  for (const text of ["", "98765", "98765432101", "+91 98765 4321", "+0 1234567", "98+765", "name"])
    expect(phoneOf(text, "+91"), text).toBeNull();
});

test("a number is shown in groups", () => {
  expect(showPhone("+919876543210")).toBe("+91\u00a098765\u00a043210");
  expect(showPhone("+447700900123")).toBe("+447700900123");
});

test("a code is read from what was pasted", () => {
  expect(codeOf("123 456")).toBe("123456");
  expect(codeOf("१२३४५६")).toBe("123456");
  expect(codeOf("Your code is 654321.")).toBe("654321");
});
