// Pins that show the kind of vehicle at a place.
import type { Map as GlMap } from "maplibre-gl";
import type { components } from "../api/frames";
import { addPin, type Draw } from "./images";
import type { Scheme } from "./palette";

export type VehicleType = components["schemas"]["VehicleType"];

/** Returns the image name of a pin. */
export const vehiclePin = (type: VehicleType): string => `vehicle-${type}`;

export function addVehiclePins(map: GlMap, scheme: Scheme): void {
  for (const [type, sign] of Object.entries(signs)) addPin(map, scheme, vehiclePin(type as VehicleType), sign);
}

/** Draws a filled polygon. */
const shape =
  (...corners: [number, number][]): Draw =>
  (context) => {
    context.beginPath();
    for (const [x, y] of corners) context.lineTo(x, y);
    context.closePath();
    context.fill();
  };

const wheels =
  (radius: number, ...at: number[]): Draw =>
  (context) => {
    for (const x of at) {
      context.beginPath();
      context.arc(x, 3.2, radius, 0, 2 * Math.PI);
      context.fill();
    }
  };

const all =
  (...parts: Draw[]): Draw =>
  (context) => {
    for (const part of parts) part(context);
  };

/** Seen from the side, around (0, 0), about 15 wide. */
const signs: Record<VehicleType, Draw> = {
  two_wheeler: (context) => {
    context.lineWidth = 1.7;
    for (const x of [-4.8, 4.8]) {
      context.beginPath();
      context.arc(x, 2.2, 2.6, 0, 2 * Math.PI);
      context.stroke();
    }
    context.beginPath();
    for (const [x, y] of [
      [-4.8, 2.2],
      [-1.6, -1.2],
      [2.8, -1.2],
      [4.8, 2.2],
    ] as const)
      context.lineTo(x, y);
    context.moveTo(2.8, -1.2);
    context.lineTo(3.4, -4.8);
    context.lineTo(1.2, -5);
    context.moveTo(-4.2, -2.4);
    context.lineTo(-0.6, -2.4);
    context.stroke();
  },
  three_wheeler: all(
    shape([-6.6, 2.6], [-6.6, -1], [-1.6, -1], [-1.6, 0.6], [1.2, 0.6], [1.2, -1], [5.2, -1], [6.8, 1], [6.8, 2.6]),
    shape([-6.6, -1], [-6.6, -3.6], [-5.4, -5], [2.6, -5], [5.2, -1], [3.8, -1], [1.8, -3.8], [-5.2, -3.8], [-5.2, -1]),
    wheels(1.9, -3.8, 4.2),
  ),
  four_wheeler: all(
    shape([-7.4, 2.8], [-7.4, 0], [-5.2, -0.8], [-3, -4.2], [3, -4.2], [5.4, -0.8], [7.4, 0], [7.4, 2.8]),
    wheels(2, -4, 4),
  ),
  commercial: all(
    shape([-7.8, 2.6], [-7.8, -4.6], [1.6, -4.6], [1.6, 2.6]),
    shape([2.6, 2.6], [2.6, -2.4], [5.4, -2.4], [7.8, 0.4], [7.8, 2.6]),
    wheels(1.9, -4.4, 4.6),
  ),
};
