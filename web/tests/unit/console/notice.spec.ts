import { expect, test } from "vitest";
import { example, faultsOf, LONGEST, newNotice, noTexts, written } from "../../../src/console/desk/settings/notice";

test("a notice is written in English at least, and no text is too long", () => {
  expect(faultsOf({ ...noTexts, hi: "हिन्दी" })).toEqual({
    en: "Write it in English: it is shown where no other text fits.",
  });
  expect(faultsOf({ ...noTexts, en: "x".repeat(LONGEST) })).toEqual({});
  // Characters, not halves of them.
  expect(faultsOf({ ...noTexts, en: "🛵".repeat(LONGEST) })).toEqual({});
  expect(Object.keys(faultsOf({ ...noTexts, en: "x", kn: "x".repeat(LONGEST + 1) }))).toEqual(["kn"]);
});

test("what is not written is not sent", () => {
  expect(newNotice({ en: "Ours", hi: " ", kn: "ನಮ್ಮದು" }, false, 2)).toEqual({
    texts: { en: "Ours", hi: null, kn: "ನಮ್ಮದು" },
    ask_again: false,
    follows: 2,
  });
  expect(written({ en: "Ours", hi: " ", kn: "ನಮ್ಮದು" })).toEqual(["en", "kn"]);
});

test("the example names the operator and whom to ask, and may be published", () => {
  const support = { phone: "+918012345678", email: "help@example.com" };
  const text = example({ brand: "Example Towing", privacy_contact: null }, support);
  expect(text).toContain("Example Towing sends you");
  expect(text).toContain("Questions and complaints: +918012345678, help@example.com.");
  expect(faultsOf({ ...noTexts, en: text })).toEqual({});
  const contact = { name: "Asha Rao", email: "privacy@example.com" };
  expect(example({ brand: "Roadcall", privacy_contact: contact }, support)).toContain(
    "complaints: Asha Rao, privacy@example.com.",
  );
  const nobody = example({ brand: "Roadcall", privacy_contact: null }, { phone: null, email: null });
  expect(faultsOf({ ...noTexts, en: nobody })).toEqual({ en: "Write whom people can ask in place of [your contact]." });
});
