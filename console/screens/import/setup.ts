import {
  type Droppable,
  defaultSubjects,
  type ImportOptions,
  type MergeRule,
  type MissingEmailRule,
  type NameRule,
  type Shareable,
} from "../../../src/moving/options.ts";

/** A system whose exports can be imported. */
interface SourceChoice {
  readonly label: string;
  /** The name of its page in the documentation. */
  readonly guide: string;
  /** Options that only some sources have. */
  readonly has: readonly ("map" | "rpId" | "firebase")[];
}

/** The systems by their names, with which the program that reads them is chosen. */
export const CHOICES = {
  auth0: { label: "Auth0", guide: "moving/auth0", has: [] },
  "better-auth": { label: "Better Auth", guide: "moving/better-auth", has: ["rpId"] },
  clerk: { label: "Clerk", guide: "moving/clerk", has: [] },
  cognito: { label: "Amazon Cognito", guide: "moving/cognito", has: [] },
  csv: { label: "CSV", guide: "moving/csv", has: ["map"] },
  entra: { label: "Microsoft Entra ID", guide: "moving/entra", has: [] },
  firebase: { label: "Firebase", guide: "moving/firebase", has: ["firebase"] },
  fusionauth: { label: "FusionAuth", guide: "moving/fusionauth", has: [] },
  keycloak: { label: "Keycloak", guide: "moving/keycloak", has: ["map", "rpId"] },
  kratos: { label: "Ory Kratos", guide: "moving/kratos", has: ["map", "rpId"] },
  ldif: { label: "LDAP (LDIF)", guide: "moving/ldif", has: [] },
  logto: { label: "Logto", guide: "moving/logto", has: [] },
  okta: { label: "Okta", guide: "moving/okta", has: [] },
  signet: { label: "Signet", guide: "moving", has: ["rpId"] },
  supabase: { label: "Supabase", guide: "moving/supabase", has: ["rpId"] },
  workos: { label: "WorkOS", guide: "moving/workos", has: [] },
  zitadel: { label: "ZITADEL", guide: "moving/zitadel", has: [] },
} as const satisfies Readonly<Record<string, SourceChoice>>;

type SourceName = keyof typeof CHOICES;

/** What the form contains. */
export type SetupValues = typeof EMPTY;

export const EMPTY = {
  from: "csv" as SourceName,
  names: [] as readonly NameRule[],
  ...{ defaultRegion: "", rpId: "", signerKey: "", saltSeparator: "Bw==", rounds: "8", memCost: "14" },
  subjects: "usual" as ImportOptions["subjects"] | "usual",
  messages: "send" as ImportOptions["messages"],
  /** Lines of `column=field`. */
  map: [] as string[],
  /** What a person has chosen for columns of a table, beside what their names say. */
  columns: {} as Readonly<Record<string, string>>,
  dropInvalid: [] as readonly Droppable[],
  allowShared: [] as readonly Shareable[],
  /** At most one. */
  merge: [] as readonly MergeRule[],
  /** At most one. */
  missingEmail: [] as readonly MissingEmailRule[],
  /** Whether users of earlier imports are changed. */
  update: false,
  /** The id of the provider for each name in the source; empty for one that is not mapped. */
  idps: {} as Readonly<Record<string, string>>,
};

/**
 * The options of the import, as the command has them for the same choices.
 *
 * @param mayKeepSubjects Whether the person may set the `sub` of users, which needs a role in the instance.
 */
export function toOptions(values: SetupValues, mayKeepSubjects: boolean): ImportOptions {
  const { from, names, messages, dropInvalid, allowShared } = values;
  const [merge] = values.merge;
  const [missingEmail] = values.missingEmail;
  const has: readonly string[] = CHOICES[from].has;
  const region = values.defaultRegion.trim().toUpperCase();
  const rpId = has.includes("rpId") ? values.rpId.trim() : "";
  return {
    ...{ names, messages, dropInvalid, allowShared, orgs: {} },
    subjects: mayKeepSubjects ? (values.subjects === "usual" ? defaultSubjects(from) : values.subjects) : "new",
    idps: Object.fromEntries(Object.entries(values.idps).filter(([, id]) => id !== "")),
    map: has.includes("map") ? { ...(from === "csv" && values.columns), ...toPairs(values.map) } : {},
    ...{ merge, missingEmail, defaultRegion: region || undefined, rpId: rpId || undefined },
    update: values.update || undefined,
    firebase: has.includes("firebase") && values.signerKey !== "" ? toFirebase(values) : undefined,
  };
}

/** The value begins after the last equals sign. */
function toPairs(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map((line) => {
    const at = line.lastIndexOf("=");
    return [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.filter(([column, field]) => column !== "" && field !== ""));
}

function toFirebase({ signerKey, saltSeparator, rounds, memCost }: SetupValues) {
  return { signerKey: signerKey.trim(), saltSeparator, rounds: Number(rounds), memCost: Number(memCost) };
}

/** The command that imports the same, for files that are too large for the page. */
export function toCommand(parts: {
  readonly files: readonly string[];
  readonly from: string;
  readonly issuer: string;
  readonly orgId: string;
  readonly options: ImportOptions;
}): string {
  const { files, from, issuer, orgId, options } = parts;
  const { names, subjects, messages, idps, dropInvalid, allowShared, map, defaultRegion, rpId, firebase } = options;
  const list = (name: string, items: readonly string[]) => (items.length === 0 ? [] : [`--${name} ${items.join(",")}`]);
  const pairs = (name: string, given: Readonly<Record<string, string>>) =>
    Object.entries(given).map(([key, value]) => `--${name} ${quote(`${key}=${value}`)}`);
  return [
    `signet users import ${files.map(quote).join(" ")} --from ${from}`,
    ...[`--url ${issuer} --token-file admin.token`, `--org ${orgId}`, `--subjects ${subjects}`],
    ...(messages === "send" ? [] : [`--messages ${messages}`]),
    ...list("names", names),
    ...(defaultRegion === undefined ? [] : [`--default-region ${quote(defaultRegion)}`]),
    ...(rpId === undefined ? [] : [`--rp-id ${quote(rpId)}`]),
    ...[...pairs("idp", idps), ...pairs("map", map)],
    ...[...list("drop-invalid", dropInvalid), ...list("allow-shared", allowShared)],
    ...(options.missingEmail === undefined ? [] : [`--missing-email ${options.missingEmail}`]),
    ...(options.merge === undefined ? [] : [`--merge ${options.merge}`]),
    ...(options.update ? ["--update"] : []),
    ...(firebase === undefined
      ? []
      : [
          `--signer-key ${quote(firebase.signerKey)} --salt-separator ${quote(firebase.saltSeparator)}`,
          `--rounds ${firebase.rounds} --mem-cost ${firebase.memCost}`,
        ]),
  ].join(" \\\n  ");
}

/** Quotes what a shell would read otherwise. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
