// The contents of the live map: online mechanics and open jobs, according to the service's frames. No page, no map, no
// clock.
import type { components } from "$shared/api/frames";

type Schemas = components["schemas"];
export type FleetView = Schemas["FleetView"];
export type FleetChanges = Schemas["FleetChanges"];
export type FleetMechanic = Schemas["FleetMechanic"];
export type FleetJob = Schemas["FleetJob"];
export type FleetCell = Schemas["FleetCell"];
export type FleetTotals = Schemas["FleetTotals"];
export type FleetDetails = Schemas["FleetDetails"];
export type JobDetails = Schemas["FleetJobDetails"];
export type MechanicDetails = Schemas["FleetMechanicDetails"];

/** The ids of changed objects; a cell's id is its place. */
export interface Touched {
  mechanics: Iterable<string>;
  jobs: Iterable<string>;
  cells: Iterable<string>;
}

export const cellId = (cell: FleetCell): string => `${cell.lat},${cell.lng},${cell.size_degrees}`;
const isEmpty = (cell: FleetCell) => cell.free + cell.busy + cell.waiting_jobs + cell.active_jobs === 0;

export class Fleet {
  readonly mechanics = new Map<string, FleetMechanic>();
  /** All open jobs, in view and elsewhere. */
  readonly jobs = new Map<string, FleetJob>();
  readonly mechanicDetails = new Map<string, MechanicDetails>();
  readonly jobDetails = new Map<string, JobDetails>();
  /** The number of open jobs that are left out because there are too many. */
  omittedJobs = 0;
  readonly cells = new Map<string, FleetCell>();
  /** The counts of everything, in the box and elsewhere; null until the first snapshot. */
  everywhere: FleetTotals | null = null;
  isAggregated = false;
  /** False until the first snapshot. */
  isKnown = false;

  /** Replaces everything. Objects that have disappeared count as touched. */
  snapshot(view: FleetView): Touched {
    const touched = {
      mechanics: new Set(this.mechanics.keys()),
      jobs: new Set(this.jobs.keys()),
      cells: new Set(this.cells.keys()),
    };
    this.mechanics.clear();
    this.jobs.clear();
    this.cells.clear();
    this.isKnown = true;
    this.isAggregated = view.is_aggregated;
    this.everywhere = view.everywhere;
    this.#put(view, touched);
    // The details of remaining objects are not sent again.
    for (const id of this.mechanicDetails.keys()) if (!this.mechanics.has(id)) this.mechanicDetails.delete(id);
    for (const id of this.jobDetails.keys()) if (!this.jobs.has(id)) this.jobDetails.delete(id);
    return touched;
  }

  /** Applies the differences. */
  change(changes: FleetChanges): Touched {
    const touched = { mechanics: new Set<string>(), jobs: new Set<string>(), cells: new Set<string>() };
    for (const id of changes.gone.mechanics) {
      this.mechanicDetails.delete(id);
      if (this.mechanics.delete(id)) touched.mechanics.add(id);
    }
    for (const id of changes.gone.jobs) {
      this.jobDetails.delete(id);
      if (this.jobs.delete(id)) touched.jobs.add(id);
    }
    this.everywhere = changes.everywhere;
    this.#put(changes, touched);
    return touched;
  }

  #put(
    { mechanics, jobs, cells, details }: Pick<FleetChanges, "mechanics" | "jobs" | "cells" | "details">,
    touched: { mechanics: Set<string>; jobs: Set<string>; cells: Set<string> },
  ): void {
    for (const mechanic of mechanics) {
      this.mechanics.set(mechanic.mechanic_profile_id, mechanic);
      touched.mechanics.add(mechanic.mechanic_profile_id);
    }
    for (const job of jobs) {
      this.jobs.set(job.id, job);
      touched.jobs.add(job.id);
    }
    for (const cell of cells) {
      const id = cellId(cell);
      if (isEmpty(cell)) this.cells.delete(id);
      else this.cells.set(id, cell);
      touched.cells.add(id);
    }
    if (!details) return;
    this.omittedJobs = details.omitted_jobs;
    for (const mechanic of details.mechanics) {
      this.mechanicDetails.set(mechanic.mechanic_profile_id, mechanic);
      touched.mechanics.add(mechanic.mechanic_profile_id);
    }
    for (const job of details.jobs) {
      this.jobDetails.set(job.job_id, job);
      touched.jobs.add(job.job_id);
    }
  }
}

export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Returns the box around a place at a distance, in degrees. */
export const around = ({ lat, lng }: { lat: number; lng: number }, degrees: number): Bounds => ({
  west: lng - degrees,
  east: lng + degrees,
  south: lat - degrees,
  north: lat + degrees,
});

/** Returns the box of a map with a margin, so that small movements need no new subscription. */
export function boxOf({ west, south, east, north }: Bounds, margin = 0.15): string {
  const across = (east - west) * margin;
  const up = (north - south) * margin;
  const wrap = (lng: number) => ((((lng + 180) % 360) + 360) % 360) - 180;
  const isWorld = east - west + 2 * across >= 360;
  const box = [
    isWorld ? -180 : wrap(west - across),
    Math.max(-90, south - up),
    isWorld ? 180 : wrap(east + across),
    Math.min(90, north + up),
  ];
  return box.map((degrees) => degrees.toFixed(5)).join(",");
}

/** Returns whether a map still shows only places that a box covers. */
export function isWithin(bounds: Bounds, box: string): boolean {
  const [west, south, east, north] = box.split(",").map(Number) as [number, number, number, number];
  if (west > east) return false;
  return bounds.west >= west && bounds.east <= east && bounds.south >= south && bounds.north <= north;
}
