import type { ColumnType, Generated } from "kysely";
import type { OidcArtifactsTable, SigningKeysTable } from "./oidc-tables.ts";

/**
 * The types of the tables. State tables are the source of truth; `events` is an append-only log written by the same
 * statements. The keys of an organization's tables start with its id, so that they can be partitioned by organization.
 */
export interface Tables {
  master_keys: MasterKeysTable;
  instance: InstanceTable;
  orgs: OrgsTable;
  users: UsersTable;
  idps: IdpsTable;
  user_idp_links: UserIdpLinksTable;
  idp_attempts: IdpAttemptsTable;
  members: MembersTable;
  tokens: TokensTable;
  codes: CodesTable;
  messages: MessagesTable;
  passkeys: PasskeysTable;
  recovery_codes: RecoveryCodesTable;
  apps: AppsTable;
  oidc_artifacts: OidcArtifactsTable;
  signing_keys: SigningKeysTable;
  events: EventsTable;
  rate_limits: RateLimitsTable;
  idempotency_keys: IdempotencyKeysTable;
}

/** `sequence` and `changed_at` are the sequence and time of the object's last event. */
interface Aggregate {
  sequence: bigint;
  created_at: Date;
  changed_at: Date;
}

/** Ids of the master keys that encrypt stored secrets. */
interface MasterKeysTable {
  id: string;
  created_at: Date;
}

/** A single row: the instance of this database. */
interface InstanceTable extends Aggregate {
  id: string;
  singleton: Generated<boolean>;
}

interface OrgsTable extends Aggregate {
  id: string;
  name: string;
  name_key: string;
}

/** Human and machine users. The columns of the profile are null for a machine user. */
interface UsersTable extends Aggregate {
  org_id: string;
  id: string;
  kind: "human" | "machine";
  /** Whether the user may sign in: `inactive` and `locked` users may not. */
  state: Generated<"active" | "inactive" | "locked">;
  /** False until the user completes the requested initialization. */
  initialized: Generated<boolean>;
  user_name: string;
  /** The normalized `user_name`, which must be unique: see `userNameKey`. */
  user_name_key: string;
  first_name: string | null;
  last_name: string | null;
  nick_name: string | null;
  display_name: string | null;
  preferred_language: string | null;
  /** The number of a `signet.v1.Gender` value. */
  gender: number | null;
  email: string | null;
  email_verified: Generated<boolean>;
  phone: string | null;
  phone_verified: Generated<boolean>;
  /** Modular Crypt Format. */
  password_hash: string | null;
  /** Null if there is no password. */
  password_changed_at: Date | null;
  password_change_required: Generated<boolean>;
  /** The secret of one-time codes: an import may have stored any text. */
  otp_code: Buffer | null;
  otp_code_key: string | null;
  /** The last step whose one-time code was used (RFC 6238). */
  otp_last_step: bigint | null;
  /** When the user declined to add a passkey after a sign-in. */
  passkey_declined_at: Date | null;
  /** A sign-in based on proofs from an earlier sequence cannot be completed: see `endSessions`. */
  sessions_ended_sequence: Generated<bigint>;
}

/** `owner_id` is the instance or an organization. Enums are stored as their numbers in the proto. */
interface IdpsTable extends Aggregate {
  owner_id: string;
  id: string;
  name: string;
  styling_type: number;
  client_id: string;
  client_secret: Buffer;
  client_secret_key: string;
  issuer: string;
  scopes: string[];
  display_name_mapping: number;
  username_mapping: number;
  auto_register: boolean;
  /** An `inactive` provider is not offered at sign-in. */
  state: Generated<"active" | "inactive">;
}

interface UserIdpLinksTable {
  org_id: string;
  idp_id: string;
  external_user_id: string;
  idp_owner_id: string;
  user_id: string;
  display_name: string;
  created_at: Date;
}

/** Attempts to sign in with an identity provider. SHA-256 of what the browser and the provider present. */
interface IdpAttemptsTable {
  sign_in_hash: Buffer;
  state_hash: Buffer;
  browser_hash: Buffer;
  idp_owner_id: string;
  idp_id: string;
  remember: boolean;
  expires_at: Date;
}

/** `scope_id` is the instance or the organization in which the user has the role. */
interface MembersTable {
  user_org_id: string;
  user_id: string;
  scope_id: string;
  role: string;
  /** When the user got the first role in the scope. */
  created_at: Date;
  /**
   * Sequence and time of the scope's event that last changed the roles. All roles of a user in a scope have the same.
   */
  sequence: bigint;
  changed_at: Date;
}

interface TokensTable {
  id: string;
  org_id: string;
  user_id: string;
  /** SHA-256 of the token. */
  hash: Buffer;
  last_four: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

/** The hashed codes of links and SMS. `expires_at` is null until the message with the code is sent. */
interface CodesTable {
  org_id: string;
  id: string;
  user_id: string;
  kind: "initialization" | "email" | "phone" | "passkey" | "password";
  /** SHA-256 of the link's secret. */
  secret_hash: Buffer;
  /** HMAC-SHA-256 of the digits of an SMS. */
  digits_hash: Buffer | null;
  digits_key: string | null;
  created_at: Date;
  expires_at: Date | null;
  used_at: Date | null;
  /** The email address or phone number that the code was sent to; null for a passkey. */
  recipient: string | null;
  /** The user's sequence when the code was issued. The code with the highest one is the user's latest of its kind. */
  sequence: Generated<bigint>;
  /** The number of attempts to enter the digits, correct or not. */
  attempts: Generated<number>;
  /** The challenge of a passkey registration in progress. */
  challenge: string | null;
}

/** The outbox. `content` is encrypted, and erased once the message is sent; a notice has none. */
interface MessagesTable {
  org_id: string;
  id: string;
  user_id: string;
  /** The code that the message carries, or whose use a notice reports; null for a notice of another change. */
  code_id: string | null;
  /** The notice of a message without a code; null for other messages. */
  notice: "password-changed" | null;
  channel: "email" | "sms";
  recipient: string;
  content: Buffer | null;
  content_key: string | null;
  created_at: Date;
  /** `expired`: the code was used, replaced or otherwise unusable before the message could be sent. */
  state: Generated<"waiting" | "sent" | "failed" | "expired">;
  /** Number of delivery attempts, including one in progress. */
  attempts: Generated<number>;
  /** When the next attempt is due. While a process sends the message, when its claim expires. Null in a final state. */
  next_attempt_at: Date | null;
  ended_at: Date | null;
  /** Why the last attempt failed. Contains no secret. */
  last_error: string | null;
}

/** WebAuthn credentials. */
interface PasskeysTable {
  org_id: string;
  /** Credential id in base64url. */
  id: string;
  user_id: string;
  /** COSE key (RFC 9052). */
  public_key: Buffer;
  counter: bigint;
  transports: string[];
  aaguid: string;
  device_type: "singleDevice" | "multiDevice";
  backed_up: boolean;
  /** Shown to the user, to distinguish passkeys; may be empty. */
  name: Generated<string>;
  created_at: Date;
}

/** Each works once instead of a one-time code, and is then deleted. */
interface RecoveryCodesTable {
  org_id: string;
  user_id: string;
  /** See `hashRecoveryCode`. */
  hash: Buffer;
  created_at: Date;
}

/**
 * Applications: clients of the OpenID provider. `owner_id` is the instance or an organization; `id` is the client id.
 */
interface AppsTable extends Aggregate {
  owner_id: string;
  id: string;
  name: string;
  state: Generated<"active" | "inactive">;
  type: "web" | "spa" | "native";
  auth_method: "basic" | "post" | "none";
  /** SHA-256 of the client secret; null for the method `none`. */
  secret_hash: Buffer | null;
  grant_types: string[];
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  /** Origins that may call the provider from a browser, in addition to the origins of the redirect URIs. */
  additional_origins: string[];
  back_channel_logout_uri: string | null;
  access_token_type: "opaque" | "jwt";
  /** Allows `http` and loopback redirect URIs. */
  dev_mode: boolean;
}

/** Counters of rate-limiter-flexible. `expire` is in milliseconds since the epoch. */
interface RateLimitsTable {
  key: string;
  points: Generated<number>;
  expire: bigint | null;
}

/** The responses to calls with the header `idempotency-key`, kept while the same call may be repeated. */
interface IdempotencyKeysTable {
  /** The user who called. */
  caller_id: string;
  /** SHA-256 of the key. */
  key_hash: Buffer;
  /** HMAC-SHA-256 of the call, because the request may contain a password. */
  request_mac: Buffer;
  /** The encrypted response without its `details`; null if there is nothing else. */
  answer: Buffer | null;
  /** Id of the key of `request_mac` and `answer`. */
  master_key: string;
  /** The `details` of the response. */
  sequence: bigint;
  creation_date: Date;
  change_date: Date;
  expires_at: Date;
}

interface EventsTable {
  owner_id: string;
  aggregate_id: string;
  sequence: bigint;
  /** The order in which followers read; see `readEvents`. */
  position: ColumnType<bigint, never, never>;
  type: string;
  /** The user that caused the event; null for the service itself. */
  editor_id: string | null;
  created_at: Date;
  /** Null after the user's personal data was erased. */
  payload: unknown;
}
