import { expect, test } from "vitest";
import { deviceOf } from "../../../src/shared/account/devices";

test("devices have names that people know", () => {
  expect(
    deviceOf(
      "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36",
    ),
  ).toBe("Chrome, Android");
  expect(
    deviceOf(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 " +
        "Safari/604.1",
    ),
  ).toBe("Safari, iPhone");
  expect(deviceOf("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0")).toBe(
    "Edge, Windows",
  );
  expect(deviceOf("curl/8")).toBeNull();
  expect(deviceOf(null)).toBeNull();
});
