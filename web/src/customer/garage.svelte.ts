// The customer's vehicles and the kinds of help, kept on this device so that a call for help can be written without a
// network.
import { answer, api, type Schemas } from "$shared/api/client";
import { Newest } from "$shared/api/newest";

type Vehicle = Schemas["Vehicle"];
type Category = Schemas["ServiceCategory"];

const KEY = "roadcall-customer-garage";

class Garage {
  vehicles: Vehicle[] | null = $state.raw(null);
  categories: Category[] | null = $state.raw(null);
  /** The reason why they could not be loaded. */
  error: unknown = $state.raw(null);
  readonly #newest = new Newest();

  constructor() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as {
        vehicles: Vehicle[];
        categories: Category[];
      } | null;
      if (kept) Object.assign(this, kept);
    } catch {
      // An unreadable store counts as empty.
    }
  }

  load = async (): Promise<void> => {
    await this.#newest.ask(
      () => Promise.all([answer(api.GET("/vehicles")), answer(api.GET("/service-categories"))]),
      ([vehicles, categories]) => {
        this.vehicles = vehicles.data;
        this.categories = categories.data;
        this.error = null;
        this.#keep();
      },
      (error) => (this.error = error),
    );
  };

  /** Stores a vehicle from an answer of the service. */
  put(vehicle: Vehicle): void {
    const others = (this.vehicles ?? []).filter(({ id }) => id !== vehicle.id);
    const rest = vehicle.is_default ? others.map((other) => ({ ...other, is_default: false })) : others;
    this.vehicles = vehicle.is_default ? [vehicle, ...rest] : [...rest, vehicle];
    this.#keep();
  }

  vehicle(id: string | null): Vehicle | null {
    return this.vehicles?.find((vehicle) => vehicle.id === id) ?? null;
  }
  category(id: string | null): Category | null {
    return this.categories?.find((category) => category.id === id) ?? null;
  }

  forget(): void {
    this.vehicles = null;
    this.categories = null;
    localStorage.removeItem(KEY);
  }

  #keep(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify({ vehicles: this.vehicles, categories: this.categories }));
    } catch {
      // The app works without it.
    }
  }
}

export const garage = new Garage();
