import { wordsFor } from "../../texts/words-for.ts";
import type { ImportTexts } from "./texts/en.ts";

/** A field of a user as the report has it, such as `profile.lastName` or `metadata.plan`, in the language of the page. */
export function fieldWords(field: string, { columns, droppable, changedSince }: ImportTexts): string {
  const [, name = field, since] = /^(.*?)( \(changed since the import\))?$/.exec(field) ?? [];
  const words = { ...columns.fields, idps: droppable.links, passkeys: droppable.passkeys };
  const label = name.startsWith("metadata.")
    ? name.replace("metadata.", `${columns.metadata}: `)
    : wordsFor(words, NAMES[name] ?? name.replace("profile.", ""), name);
  return since === undefined ? label : changedSince(label);
}

/** The fields of a table that are called otherwise in a user. */
const NAMES: Readonly<Record<string, string>> = {
  "profile.preferredLanguage": "language",
  "email.email": "email",
  "email.isEmailVerified": "emailVerified",
  "phone.phone": "phone",
  "phone.isPhoneVerified": "phoneVerified",
  hashedPassword: "passwordHash",
  otpCode: "otp",
  state: "inactive",
};
