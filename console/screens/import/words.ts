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

/** What an export has and the import does not read, such as `picture`, `password: plain text` or `passkeys (of a merged record)`. */
export function lostWords(text: string, texts: ImportTexts): string {
  const { named, what, why } = texts.lostParts;
  // The name of a column may have any characters.
  if (text.startsWith("column ")) return text.replace("column", named.column);
  const [, lost = text, reason] = /^([^:(]+): (.+)$/s.exec(text) ?? /^(.+) \(([^()]+)\)$/s.exec(text) ?? [];
  const [, kind = "", name] = /^(metadata|link to|credential|required action) (.+)$/s.exec(lost) ?? [];
  const words = name === undefined ? wordsFor({ ...texts.fields, ...what }, lost) : `${wordsFor(named, kind)} ${name}`;
  if (reason === undefined) return words;
  return `${words}: ${withLabels(wordsFor(why, reason, withName(reason, texts.lostParts)), texts)}`;
}

/** A reason with a name in it. */
function withName(reason: string, { noHashes, unsalted, unsupported }: ImportTexts["lostParts"]): string {
  const rules = [
    [/^(.+) gives no hashes$/, noHashes],
    [/^unsalted (.+)$/, unsalted],
    [/^(?:the \w+ )?(\S+) is not supported$/, unsupported],
  ] as const;
  for (const [pattern, words] of rules) {
    const name = pattern.exec(reason)?.[1];
    if (name !== undefined) return words(name);
  }
  return reason;
}

/** The options of the command that its messages name, as they are called on the page. */
const LABELS: Readonly<Record<string, (texts: ImportTexts) => string>> = {
  "--names": ({ names }) => names.title,
  "--default-region": ({ region }) => region,
  "--allow-shared": ({ allowShared }) => allowShared,
  "--idp": ({ providers }) => providers.title,
  "--rp-id": ({ rpId }) => rpId,
  "--signer-key": ({ firebase }) => firebase.signerKey,
};

/** Replaces the names of options in a message of the check by what they are called on the page. */
export function withLabels(message: string, texts: ImportTexts): string {
  return message.replace(/--[a-z-]+/g, (name) => {
    const label = LABELS[name]?.(texts);
    return label === undefined ? name : `"${label}"`;
  });
}
