// What is on the live map: who is online and which jobs are open, as the service's frames say. No page, no map, no
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

/** The ids of what differs now; a cell's is where it is. */
export interface Touched {
  mechanics: Iterable<string>;
  jobs: Iterable<string>;
  cells: Iterable<string>;
}

export const cellId = (cell: FleetCell): string => `${cell.lat},${cell.lng},${cell.size_degrees}`;
const isEmpty = (cell: FleetCell) => cell.free + cell.busy + cell.waiting_jobs + cell.active_jobs === 0;

export class Fleet {
  readonly mechanics = new Map<string, FleetMechanic>();
  /** All that are open, in sight and elsewhere. */
  readonly jobs = new Map<string, FleetJob>();
  readonly mechanicDetails = new Map<string, MechanicDetails>();
  readonly jobDetails = new Map<string, JobDetails>();
  /** Open jobs that are too many to be here. */
  omittedJobs = 0;
  readonly cells = new Map<string, FleetCell>();
  /** Of everything there is, in the box and elsewhere; null until the first snapshot. */
  everywhere: FleetTotals | null = null;
  isAggregated = false;
  /** Until the first snapshot nothing is known. */
  isKnown = false;

  /** Replaces everything. What was there and is not any more counts as touched. */
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
    // The details of what is still there are not sent again.
    for (const id of this.mechanicDetails.keys()) if (!this.mechanics.has(id)) this.mechanicDetails.delete(id);
    for (const id of this.jobDetails.keys()) if (!this.jobs.has(id)) this.jobDetails.delete(id);
    return touched;
  }

  /** Takes over what differs. */
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

/** As far as that from a place, in degrees. */
export const around = ({ lat, lng }: { lat: number; lng: number }, degrees: number): Bounds => ({
  west: lng - degrees,
  east: lng + degrees,
  south: lat - degrees,
  north: lat + degrees,
});

/** The box of a map with a margin, so that small movements need no other subscription. */
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

/** Whether a map still shows only what a box covers. */
export function isWithin(bounds: Bounds, box: string): boolean {
  const [west, south, east, north] = box.split(",").map(Number) as [number, number, number, number];
  if (west > east) return false;
  return bounds.west >= west && bounds.east <= east && bounds.south >= south && bounds.north <= north;
}
