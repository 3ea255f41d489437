// A privacy notice in a super-admin's form.
import type { Schemas } from "$shared/api/client";
import { contactText } from "$shared/account/grievances";

export type NoticeLanguage = Schemas["NoticeLanguage"];
export type Texts = Record<NoticeLanguage, string>;

/** The maximum number of characters of a text. */
export const LONGEST = 6000;

/** Every language under its own name; English, the first one, is required. */
export const languages: [NoticeLanguage, string][] = [
  ["en", "English"],
  ["hi", "हिन्दी"],
  ["kn", "ಕನ್ನಡ"],
];

export const noTexts: Texts = { en: "", hi: "", kn: "" };

/** Returns the languages that have a text. */
export function written(texts: Texts): NoticeLanguage[] {
  return languages.map(([language]) => language).filter((language) => texts[language].trim() !== "");
}

/** Stands in the example if the settings name nobody. */
const CONTACT = "[your contact]";

/** Returns the faults that prevent publishing, by language. */
export function faultsOf(texts: Texts): Partial<Texts> {
  const faults: Partial<Texts> = {};
  for (const [language] of languages) {
    const length = [...texts[language]].length;
    if (length > LONGEST) faults[language] = `At most ${LONGEST} characters; these are ${length}.`;
  }
  if (texts.en.trim() === "") faults.en = "Write it in English: it is shown where no other text fits.";
  if (texts.en.includes(CONTACT)) faults.en = `Write whom people can ask in place of ${CONTACT}.`;
  return faults;
}

/** Returns the request's body. `follows` is the version that the author has seen; 0 if there was none. */
export function newNotice(texts: Texts, askAgain: boolean, follows: number): Schemas["NewPrivacyNotice"] {
  const given = (text: string) => (text.trim() === "" ? null : text);
  return { texts: { en: texts.en, hi: given(texts.hi), kn: given(texts.kn) }, ask_again: askAgain, follows };
}

/** The data that the service itself uses, with their purposes. */
const USED = [
  "Your mobile number: you sign in with it, and your mechanic or we call you on it.",
  "Your name: so that your mechanic knows whom to ask for.",
  "Where you are when you ask for help: to find a mechanic near you, and to show them the way.",
  "Your vehicle, your photos and what you write about the problem: so that the right mechanic comes.",
  "What you pay: for receipts and refunds, and because the law wants us to keep it.",
  "If you work as a mechanic: also your documents, the address that you are paid to, and where you are while you are " +
    "online or on a job.",
];
const RIGHTS = [
  "read and take with you all that we have about you (Your data),",
  "correct it,",
  "ask or complain about your data, and get an answer by a day that is promised,",
  "withdraw your consent (Privacy). Until you agree again, you can't ask for help here,",
  "delete your account (Your data).",
];

/** Returns a text to begin with, which the operator has to adapt. */
export function example(
  { brand, privacy_contact }: Pick<Schemas["OperatorConfig"], "brand" | "privacy_contact">,
  support: Pick<Schemas["SupportConfig"], "phone" | "email">,
): string {
  const contacts = privacy_contact
    ? contactText(privacy_contact)
    : [support.phone, support.email].filter((contact) => contact !== null).join(", ");
  const list = (items: string[]) => items.map((item) => `- ${item}`).join("\n");
  return [
    `${brand} sends you a mechanic when your vehicle breaks down. What we use of your data, and what for:`,
    list(USED),
    "Your mechanic sees your name, your number and where you are, for the job. Those who send our messages and " +
      "handle payments get what they need for that.",
    `In your account you can\n${list(RIGHTS)}`,
    `Questions and complaints: ${contacts || CONTACT}. If we don't help you, you can complain ` +
      "to the Data Protection Board of India.",
  ].join("\n\n");
}
