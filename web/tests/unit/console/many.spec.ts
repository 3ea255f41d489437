// Actions on several rows at once, without a service.
import { expect, test } from "vitest";
import type { Action } from "../../../src/console/desk/actions/action";
import { formOfMany, told, type CarryOut, type Outcome } from "../../../src/console/desk/actions/many";
import { NoAnswer, Refusal } from "../../../src/shared/api/errors";

interface Row {
  name: string;
}
const rows: Row[] = ["Asha", "Dev", "Indu"].map((name) => ({ name }));

/** Sends the form for all rows; `refuse` decides the outcome of each. */
async function send(refuse: (row: Row) => Error | null): Promise<{ sent: string[]; keys: string[]; outcome: Outcome }> {
  const [sent, keys]: [string[], string[]] = [[], []];
  const action: Action<Row> = {
    key: "x",
    name: "Reject",
    many: (these) => ({ title: `Reject ${these.length}`, says: ["Each sees the reason."] }),
    form: {
      title: ({ name }) => `Reject ${name}`,
      says: () => [],
      confirm: "Reject",
      isDanger: true,
      send: (row, values, headers) => {
        sent.push(`${row.name}: ${values["reason"]}`);
        keys.push(headers["Idempotency-Key"]);
        const error = refuse(row);
        return error ? Promise.reject(error) : Promise.resolve({ response: new Response() });
      },
      done: () => "Rejected",
    },
  };
  let made = 0;
  const carryOut: CarryOut = (request) => request({ "Idempotency-Key": String((made += 1)) });
  const form = formOfMany(action, ({ name }) => name, carryOut);
  expect([form?.title(rows), form?.says(rows, {}), form?.isDanger]).toEqual([
    "Reject 3",
    ["Each sees the reason."],
    true,
  ]);
  const answer = await form?.send(rows, { reason: "Why" }, { "Idempotency-Key": "unused" });
  return { sent, keys, outcome: answer?.data as Outcome };
}

test("a form for several rows is sent for each of them, with a key of its own", async () => {
  const { sent, keys, outcome } = await send(() => null);
  expect(sent).toEqual(["Asha: Why", "Dev: Why", "Indu: Why"]);
  expect(new Set(keys).size).toBe(3);
  expect(told("Reject", outcome)).toBe("Reject: 3 done.");
});

test("a row that is refused is named, and the others are done", async () => {
  const { sent, outcome } = await send(({ name }) =>
    name === "Dev" ? new Refusal(409, "CONFLICT", "Somebody decided this.") : null,
  );
  expect(sent).toHaveLength(3);
  expect(told("Reject", outcome)).toBe("Reject: 2 of 3 done. Dev: Somebody decided this.");
});

test("after what would stop each of them, the others are not tried", async () => {
  for (const error of [new NoAnswer(), new Refusal(429, "RATE_LIMITED", "Try again in 3 s.")]) {
    const { sent, outcome } = await send(({ name }) => (name === "Dev" ? error : null));
    expect(sent).toHaveLength(2);
    expect(outcome).toMatchObject({ done: 1, left: 1 });
    expect(told("Reject", outcome)).toMatch(/^Reject: 1 of 3 done\. Dev: .+ 1 was not tried\.$/);
  }
});

test("what is wrong with the answers is said beside their fields, before anything is done", async () => {
  const refusal = new Refusal(422, "VALIDATION_FAILED", "Too short.", { reason: ["Too short."] });
  await expect(send(() => refusal)).rejects.toBe(refusal);
});

test("an action that is for one row alone has no such form", () => {
  const one: Action<Row> = { key: "a", name: "Approve", form: {} as never };
  expect(
    formOfMany(
      one,
      ({ name }) => name,
      () => Promise.resolve(null),
    ),
  ).toBeNull();
});
