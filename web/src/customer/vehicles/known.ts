// Common makes and models, as suggestions while people type. Anything else may be typed as well. Pure.
import type { Schemas } from "$shared/api/client";

type Known = Readonly<Record<string, readonly string[]>>;

const KNOWN: Record<Schemas["VehicleType"], Known> = {
  two_wheeler: {
    Ather: ["450X", "Rizta"],
    Bajaj: ["Avenger", "Chetak", "CT 110", "Dominar", "Platina", "Pulsar"],
    Hero: ["Destini", "Glamour", "HF Deluxe", "Passion", "Pleasure", "Splendor", "Super Splendor", "Xtreme"],
    Honda: ["Activa", "Dio", "Hornet", "Shine", "SP 125", "Unicorn"],
    Ola: ["S1 Air", "S1 Pro", "S1 X"],
    "Royal Enfield": ["Bullet 350", "Classic 350", "Himalayan", "Hunter 350", "Meteor 350"],
    Suzuki: ["Access 125", "Burgman Street", "Gixxer"],
    TVS: ["Apache", "iQube", "Jupiter", "Ntorq", "Raider", "XL100"],
    Yamaha: ["Fascino", "FZ", "MT-15", "R15", "RayZR"],
  },
  three_wheeler: {
    Bajaj: ["Maxima", "RE"],
    Mahindra: ["Alfa", "Treo"],
    Piaggio: ["Ape"],
    TVS: ["King"],
  },
  four_wheeler: {
    Honda: ["Amaze", "City", "Elevate", "Jazz", "WR-V"],
    Hyundai: ["Aura", "Creta", "Exter", "Grand i10 Nios", "i20", "Santro", "Venue", "Verna"],
    Kia: ["Carens", "Seltos", "Sonet"],
    Mahindra: ["Bolero", "Scorpio", "Thar", "XUV300", "XUV700"],
    "Maruti Suzuki": [
      "Alto",
      "Baleno",
      "Brezza",
      "Celerio",
      "Dzire",
      "Eeco",
      "Ertiga",
      "Fronx",
      "Ignis",
      "S-Presso",
      "Swift",
      "Wagon R",
    ],
    MG: ["Astor", "Comet", "Hector", "ZS EV"],
    Renault: ["Duster", "Kiger", "Kwid", "Triber"],
    Skoda: ["Kushaq", "Slavia"],
    Tata: ["Altroz", "Harrier", "Nexon", "Punch", "Safari", "Tiago", "Tigor"],
    Toyota: ["Etios", "Fortuner", "Glanza", "Innova", "Urban Cruiser"],
    Volkswagen: ["Polo", "Taigun", "Vento", "Virtus"],
  },
  commercial: {
    "Ashok Leyland": ["Bada Dost", "Dost", "Ecomet"],
    BharatBenz: ["1217", "1917"],
    Eicher: ["Pro 2049", "Pro 3015"],
    Force: ["Traveller", "Trax"],
    Mahindra: ["Bolero Pik-Up", "Jeeto", "Supro"],
    "Maruti Suzuki": ["Super Carry"],
    Tata: ["407", "Ace", "Intra", "Winger", "Yodha"],
  },
};

export const makesOf = (type: Schemas["VehicleType"]): string[] => Object.keys(KNOWN[type]);

/** Returns the models of a typed make, or of all makes until one is typed. */
export function modelsOf(type: Schemas["VehicleType"], make: string): readonly string[] {
  const wanted = make.trim().toLowerCase();
  const makes = Object.entries(KNOWN[type]);
  if (wanted === "") return makes.flatMap(([, models]) => models);
  return makes.filter(([name]) => isSame(name.toLowerCase(), wanted)).flatMap(([, models]) => models);
}

/** Returns whether a name matches, as "Maruti" matches Maruti Suzuki and "Enfield" Royal Enfield. */
function isSame(name: string, wanted: string): boolean {
  return name.startsWith(wanted) || name.split(" ").some((word) => word === wanted);
}

/** Returns the make of a model that only one make has, for people who type only the model. */
export function makeOf(type: Schemas["VehicleType"], model: string): string | null {
  const wanted = model.trim().toLowerCase();
  const makes = Object.entries(KNOWN[type]).filter(([, models]) => models.some((one) => one.toLowerCase() === wanted));
  return makes.length === 1 ? (makes[0]?.[0] ?? null) : null;
}
