// Makes and models that people choose from while typing.
import { expect, test } from "vitest";
import { makeOf, makesOf, modelsOf } from "../../../src/customer/vehicles/known";

test("makes and models are those of the kind of vehicle", () => {
  expect(makesOf("three_wheeler")).toContain("Piaggio");
  expect(makesOf("two_wheeler")).not.toContain("Piaggio");
  expect(modelsOf("two_wheeler", "Honda")).toContain("Activa");
  expect(modelsOf("four_wheeler", "Honda")).not.toContain("Activa");
});

test("a make is known however people write it", () => {
  for (const make of ["maruti", " Maruti Suzuki ", "SUZUKI"])
    expect(modelsOf("four_wheeler", make), make).toContain("Swift");
  expect(modelsOf("two_wheeler", "enfield")).toContain("Bullet 350");
  expect(modelsOf("four_wheeler", "Hindustan")).toEqual([]);
});

test("before a make is typed every model is there, and a model alone says its make", () => {
  expect(modelsOf("two_wheeler", "")).toEqual(expect.arrayContaining(["Activa", "Pulsar"]));
  expect(makeOf("two_wheeler", "activa ")).toBe("Honda");
  expect(makeOf("two_wheeler", "Comet")).toBeNull();
});

test("everything fits the fields of the form", () => {
  for (const type of ["two_wheeler", "three_wheeler", "four_wheeler", "commercial"] as const) {
    const models = modelsOf(type, "");
    expect(new Set(models).size, type).toBe(models.length);
    for (const name of [...makesOf(type), ...models]) expect(name).toMatch(/^\S(.{0,58}\S)?$/);
  }
});
