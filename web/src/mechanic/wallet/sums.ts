// A mechanic's earnings as parts that add up to their sum. Pure.
import { paise } from "$shared/job/price";

export interface Earned {
  gross: number;
  /** Of the gross, before refunds; so is the tax. */
  commission: number;
  tax: number;
  refunds: number;
  cash_collected?: number;
}

export interface Part {
  kind: "gross" | "commission" | "tax" | "refunds" | "given_back" | "cash";
  paise: number;
}

/**
 * The parts of `result`: each with its sign, those that are nothing left out. Commission and tax are of all that
 * customers paid, and what was taken of money that went back to them comes back to the mechanic: the rest of the sum.
 */
export function partsOf(earned: Earned, result: number): Part[] {
  const parts: Part[] = [
    { kind: "gross", paise: paise(earned.gross) },
    { kind: "commission", paise: -paise(earned.commission) },
    { kind: "tax", paise: -paise(earned.tax) },
    { kind: "refunds", paise: -paise(earned.refunds) },
    { kind: "cash", paise: -paise(earned.cash_collected ?? 0) },
  ];
  const back = paise(result) - parts.reduce((sum, part) => sum + part.paise, 0);
  parts.splice(4, 0, { kind: "given_back", paise: back });
  return parts.filter((part) => part.paise !== 0 || part.kind === "gross");
}
