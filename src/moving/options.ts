import type { SourceOptions } from "./source.ts";

/** What to do about a user whose export has no first or last name. They are tried in the given order. */
export const NAME_RULES = ["split", "from-email", "placeholder"] as const;
export type NameRule = (typeof NAME_RULES)[number];

/** Values without which a user can be imported if they are invalid. */
export const DROPPABLE = ["phone", "password", "otp", "language", "metadata", "links", "passkeys"] as const;
export type Droppable = (typeof DROPPABLE)[number];

/** Values that several users of a file may share. */
export const SHAREABLE = ["email", "phone"] as const;
export type Shareable = (typeof SHAREABLE)[number];

/** Which records of one person become one user. */
export const MERGE_RULES = ["verified-email"] as const;
export type MergeRule = (typeof MERGE_RULES)[number];

/** What to do about users without an email address, which Signet requires. */
export const MISSING_EMAIL_RULES = ["placeholder"] as const;
export type MissingEmailRule = (typeof MISSING_EMAIL_RULES)[number];

/** Which `sub` applications will see. */
export const SUBJECT_RULES = ["ids", "given", "new"] as const;

/** The id of a table may be an address, which would become the `sub` forever. */
export function defaultSubjects(from: string): ImportOptions["subjects"] {
  return from === "csv" ? "given" : "ids";
}

/** What happens to the messages that a user would get. */
export const MESSAGE_RULES = ["send", "none", "return-link"] as const;

/** The options of an import that decide which users it makes. With the files and the target, they identify a run. */
export interface ImportOptions extends SourceOptions {
  readonly names: readonly NameRule[];
  /** ISO 3166-1 code of the region of national phone numbers. */
  readonly defaultRegion?: string | undefined;
  /** The id of the provider's configuration for each provider's name in the source. */
  readonly idps: Readonly<Record<string, string>>;
  /** The id or name of the organization for each organization's name or id in the source. */
  readonly orgs: Readonly<Record<string, string>>;
  /** The relying party id of passkeys whose export does not say it. */
  readonly rpId?: string | undefined;
  /** The `sub` that applications will see: that of the export or its id, only that of the export, or a new one. */
  readonly subjects: (typeof SUBJECT_RULES)[number];
  readonly messages: (typeof MESSAGE_RULES)[number];
  readonly dropInvalid: readonly Droppable[];
  readonly allowShared: readonly Shareable[];
  /** Whether users whom an earlier import has made are changed to what the export says. */
  readonly update?: boolean | undefined;
  readonly merge?: MergeRule | undefined;
  /** Undefined: they are refused. */
  readonly missingEmail?: MissingEmailRule | undefined;
}

/** Only these options, in the same order wherever they come from. */
export function onlyImportOptions(options: ImportOptions): ImportOptions {
  const { names, subjects, messages, dropInvalid, allowShared } = options;
  const { defaultRegion, rpId, firebase, merge, missingEmail } = options;
  return {
    ...{ names, subjects, messages, idps: byName(options.idps), orgs: byName(options.orgs) },
    ...{ dropInvalid, allowShared, map: byName(options.map) },
    ...{ defaultRegion, rpId, firebase, update: options.update || undefined, merge, missingEmail },
  };
}

type Pairs = Readonly<Record<string, string>>;

function byName(pairs: Pairs): Pairs {
  return Object.fromEntries(Object.entries(pairs).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The values of `--from`: see `SOURCES`, which is slow to load. */
export const SOURCE_NAMES: readonly string[] = [
  ...["auth0", "keycloak", "zitadel", "kratos", "firebase", "cognito", "better-auth", "supabase", "clerk", "workos"],
  ...["okta", "entra", "fusionauth", "logto", "ldif", "csv", "signet"],
];

/** The default of `--runs`. */
export const DEFAULT_RUNS = "signet-runs";
