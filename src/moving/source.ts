import type { NameField } from "../database/profile.ts";

/** What an export of another system says about a user, before it becomes an ImportHumanUserRequest. */
export interface SourceUser extends Readonly<Partial<Record<NameField, string>>> {
  /** The user's id in the source, unique in the export. Idempotency keys and the report are made of it. */
  readonly sourceId: string;
  /** The name or id of the user's organization in the source, for sources with several (ZITADEL). */
  readonly sourceOrg?: string;
  /** Absent: the email address is the user name. */
  readonly userName?: string;
  /** BCP 47. */
  readonly language?: string;
  readonly gender?: "female" | "male" | "diverse";
  readonly email?: string;
  readonly emailVerified?: boolean;
  /** As the source has it; the importer parses it, with the default region of the run for national numbers. */
  readonly phone?: string;
  readonly phoneVerified?: boolean;
  /** In a form of docs/api.md, "Password hashes". */
  readonly passwordHash?: string;
  readonly passwordChangeRequired?: boolean;
  /** Whether the user must set up a second factor. */
  readonly secondFactorRequired?: boolean;
  /** Base32 or an otpauth:// URI, as ImportHumanUser takes it. */
  readonly otp?: string;
  readonly recoveryCodes?: readonly string[];
  readonly passkeys?: readonly SourcePasskey[];
  readonly links?: readonly SourceLink[];
  /** Values as text; keys as SetUserMetadata allows. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly inactive?: boolean;
  /** What applications have seen as `sub`, where it is not `sourceId`. */
  readonly subject?: string;
  /** What the export says and Signet has no place for, by a name that people understand: "second email address", "roles". */
  readonly lost?: readonly string[];
}

export interface SourceLink {
  /** The provider's name in the source, such as `google` or `google-oauth2`: `--idp <name>=<idpId>` maps it. */
  readonly provider: string;
  readonly externalUserId: string;
  readonly displayName?: string | undefined;
}

export interface SourcePasskey {
  /** Unpadded base64url. */
  readonly credentialId: string;
  /** The COSE key, unpadded base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly name?: string | undefined;
  readonly rpId?: string | undefined;
  /** What a discoverable passkey returns at a sign-in, unpadded base64url. Absent if the export does not say it. */
  readonly userHandle?: string | undefined;
  /** Whether the passkey can be synchronized. Absent if the export does not say it. */
  readonly isBackupEligible?: boolean | undefined;
}

/** What a source makes of one record of its export. */
export type Converted =
  | { readonly kind: "user"; readonly user: SourceUser }
  /** Not a person, or deleted in the source: left out, and counted by reason. */
  | { readonly kind: "skipped"; readonly sourceId?: string; readonly reason: string }
  | {
      readonly kind: "refused";
      readonly sourceId?: string;
      readonly problems: readonly { field: string; description: string }[];
      /** As in `SourceUser`. */
      readonly lost?: readonly string[];
    };

interface FirebaseParameters {
  readonly signerKey: string;
  readonly saltSeparator: string;
  readonly rounds: number;
  readonly memCost: number;
}

/** The options of `signet users import` that change how a record is read. */
export interface SourceOptions {
  /** `--map column=field`: for CSV and Kratos traits. */
  readonly map: Readonly<Record<string, string>>;
  /** Firebase: `--signer-key`, `--salt-separator`, `--rounds`, `--mem-cost`. */
  readonly firebase?: FirebaseParameters | undefined;
}

/**
 * A system whose exports can be read. `convert` is pure and uses nothing of Node, so that a browser can run it too.
 */
export interface Source {
  readonly name: string;
  /**
   * Where the records are in a JSON document that is not NDJSON: the paths of arrays, such as `["users"]` for
   * `{"users": […]}`; `[]` is a document that is itself an array. Values beside the arrays that `convert` needs, such as the realm's
   * name, are given as `context` if they come first.
   */
  readonly arrays: readonly (readonly string[])[];
  /** The columns of a CSV without a header; a CSV with a header gives records by its names. */
  readonly csvColumns?: readonly string[];
  /** Whether exports are LDIF, and nothing else. */
  readonly isLdif?: boolean;
  /**
   * For exports of which most are of one organization: which one a record is of. If all are of one, it goes to any organization of the
   * target. Absent: `SourceUser.sourceOrg` decides.
   */
  readonly orgOf?: (record: Readonly<Record<string, unknown>>) => string | undefined;
  /**
   * For exports in two files: says of a record of the second file (passwords) which user it belongs to, and what to merge into
   * that user's record. Absent: there is no second file.
   */
  readonly secondFile?: (
    record: Readonly<Record<string, unknown>>,
  ) => { readonly id: string; readonly values: Readonly<Record<string, unknown>> } | undefined;
  /** Reads one record: an object of JSON, or a row of CSV with text values. */
  convert(record: Readonly<Record<string, unknown>>, options: SourceOptions): Converted;
}
