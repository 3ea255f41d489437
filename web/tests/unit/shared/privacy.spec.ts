import { expect, test } from "vitest";
import { Refusal } from "../../../src/shared/api/errors";
import { isConsentNeeded, withConsent } from "../../../src/shared/privacy/needed";
import { blocks } from "../../../src/shared/privacy/text";

test("a notice is paragraphs and lists, however its lines end", () => {
  expect(blocks("We need:\r\n- your number\r\n-  your place \r\n\r\nYou can\nwithdraw.")).toEqual([
    { kind: "paragraph", lines: ["We need:"] },
    { kind: "list", items: ["your number", "your place"] },
    { kind: "paragraph", lines: ["You can", "withdraw."] },
  ]);
  expect(blocks("- one\n\n- two")).toEqual([
    { kind: "list", items: ["one"] },
    { kind: "list", items: ["two"] },
  ]);
  expect(blocks(" \n\n")).toEqual([]);
  expect(blocks("-5 rupees")).toEqual([{ kind: "paragraph", lines: ["-5 rupees"] }]);
});

const refusal = (code: Refusal["code"]) => new Refusal(409, code, "no");

test("what needs consent is done once more after it was given, and fails as before if it was not", async () => {
  const tried: string[] = [];
  const act = async () => {
    tried.push("act");
    if (tried.length < 2) throw refusal("CONSENT_NEEDED");
    return "done";
  };
  expect(await withConsent(act, async () => true)).toBe("done");
  expect(tried).toEqual(["act", "act"]);

  const refused = () => Promise.reject(refusal("CONSENT_NEEDED"));
  await expect(withConsent(refused, async () => false)).rejects.toMatchObject({ code: "CONSENT_NEEDED" });
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return true;
  };
  await expect(withConsent(refused, ask)).rejects.toMatchObject({ code: "CONSENT_NEEDED" });
  expect(asked).toBe(1);
  await expect(withConsent(() => Promise.reject(refusal("UNPAID_FEES")), ask)).rejects.toMatchObject({
    code: "UNPAID_FEES",
  });
  expect(asked).toBe(1);
  expect(isConsentNeeded(new Error("CONSENT_NEEDED"))).toBe(false);
});
