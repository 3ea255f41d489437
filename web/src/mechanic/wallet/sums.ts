// Splits a mechanic's earnings into parts that add up to the total. Pure.
import { paise } from "$shared/job/price";

export interface Earned {
  gross: number;
  /** Of the gross amount, before refunds, like the tax. */
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
 * Returns the signed parts of `result`, without those that are zero. Commission and tax apply to everything that
 * customers paid; the share that was taken from refunded money returns to the mechanic: the rest of the total.
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
