// Phone numbers and codes as people type and paste them.

/** The lengths of mobile numbers after the country code, where known. */
const LENGTHS: Record<string, number> = { "+91": 10 };

/** The zero of each script on local keyboards. */
const ZEROS = [0x0966, 0x0ce6, 0x0660, 0x06f0];

/** Returns the text with the digits of every script as 0 to 9. */
export function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => point >= first && point < first + 10);
    return zero === undefined ? digit : String(point - zero);
  });
}

/**
 * Returns the number in E.164, such as "+919876543210", or without its country if only the service knows how people
 * dial there. Null if it can't be a number.
 */
export function phoneOf(text: string, countryCode: string): string | null {
  const plain = latinDigits(text).replace(/[^\d+]/g, "");
  const length = LENGTHS[countryCode];
  const code = countryCode.slice(1);
  if (plain.lastIndexOf("+") > 0) return null;
  let number = plain.startsWith("+") ? plain.slice(1) : plain.startsWith("00") ? plain.slice(2) : null;
  if (number === null) {
    // People write "098…"; phones show "9198…" without the plus.
    const national = plain.replace(/^0/, "");
    if (length === undefined) return /^\d{4,15}$/.test(plain) ? plain : null;
    if (national.length === length) number = code + national;
    else if (national.length === length + code.length && national.startsWith(code)) number = national;
    else return null;
  }
  if (!/^[1-9]\d{7,14}$/.test(number)) return null;
  if (length !== undefined && number.startsWith(code) && number.length !== length + code.length) return null;
  return `+${number}`;
}

/** Returns "+91 98765 43210" without line breaks. */
export function showPhone(phone: string): string {
  return phone.replace(/^(\+91)(\d{5})(\d{5})$/, "$1\u00a0$2\u00a0$3");
}

/** Returns the first six digits of typed or pasted text. */
export function codeOf(text: string): string {
  return latinDigits(text).replace(/\D/g, "").slice(0, 6);
}
