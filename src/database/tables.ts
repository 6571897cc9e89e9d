import type { ColumnType, Generated } from "kysely";

/**
 * The tables as Kysely sees them. State tables are the truth; `events` is their append-only record, written in the same
 * statement. Tables of an organization lead their keys with the organization's id, so that they can be spread by it.
 */
export interface Tables {
  master_keys: MasterKeysTable;
  instance: InstanceTable;
  orgs: OrgsTable;
  users: UsersTable;
  idps: IdpsTable;
  user_idp_links: UserIdpLinksTable;
  members: MembersTable;
  tokens: TokensTable;
  codes: CodesTable;
  messages: MessagesTable;
  passkeys: PasskeysTable;
  events: EventsTable;
  rate_limits: RateLimitsTable;
}

/** `sequence` is that of the object's last event, `changed_at` that event's time. */
interface Aggregate {
  sequence: bigint;
  created_at: Date;
  changed_at: Date;
}

/** Ids of the master keys under which something is encrypted. */
interface MasterKeysTable {
  id: string;
  created_at: Date;
}

/** One row: the instance that this database holds. */
interface InstanceTable extends Aggregate {
  id: string;
  singleton: Generated<boolean>;
}

interface OrgsTable extends Aggregate {
  id: string;
  name: string;
  name_key: string;
}

/** Human and machine users; the columns of a person are null for a machine. */
interface UsersTable extends Aggregate {
  org_id: string;
  id: string;
  kind: "human" | "machine";
  user_name: string;
  /** `user_name` in the form that makes it unique: see `userNameKey`. */
  user_name_key: string;
  first_name: string | null;
  last_name: string | null;
  nick_name: string | null;
  display_name: string | null;
  preferred_language: string | null;
  /** Number of `signet.v1.Gender`. */
  gender: number | null;
  email: string | null;
  email_verified: Generated<boolean>;
  phone: string | null;
  phone_verified: Generated<boolean>;
  /** Modular Crypt Format. */
  password_hash: string | null;
  password_change_required: Generated<boolean>;
  otp_code: Buffer | null;
  otp_code_key: string | null;
}

/** `owner_id` is the instance or an organization; enums are the numbers of the proto. */
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

/** `scope_id` is the instance or the organization in which the user has the role. */
interface MembersTable {
  user_org_id: string;
  user_id: string;
  scope_id: string;
  role: string;
  created_at: Date;
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

/** What a link or an SMS carries, hashed. `expires_at` is null until the message with the code is handed over. */
interface CodesTable {
  org_id: string;
  id: string;
  user_id: string;
  kind: "initialization" | "phone" | "passkey";
  /** SHA-256 of the link's secret. */
  secret_hash: Buffer;
  /** HMAC-SHA-256 of the digits of an SMS. */
  digits_hash: Buffer | null;
  digits_key: string | null;
  created_at: Date;
  expires_at: Date | null;
  used_at: Date | null;
  /** The address or number that the code proves; null for a passkey. */
  recipient: string | null;
  /** The user's sequence when the code was made: the code with the highest one is the user's last of its kind. */
  sequence: Generated<bigint>;
  /** How often digits were tried, rightly or wrongly. */
  attempts: Generated<number>;
  /** The challenge of a passkey registration that is under way. */
  challenge: string | null;
}

/** The outbox. `content` is encrypted, and erased once the message is sent. */
interface MessagesTable {
  org_id: string;
  id: string;
  user_id: string;
  code_id: string;
  channel: "email" | "sms";
  recipient: string;
  content: Buffer | null;
  content_key: string | null;
  created_at: Date;
  /** `expired`: its code was used, replaced, or of no use any more before it could be sent. */
  state: Generated<"waiting" | "sent" | "failed" | "expired">;
  /** How often sending it was begun. */
  attempts: Generated<number>;
  /** When it is due: in the future while a process sends it, and after a failure. Null once it does not wait. */
  next_attempt_at: Date | null;
  ended_at: Date | null;
  /** Why the last attempt failed, without any secret. */
  last_error: string | null;
}

/** Credentials of WebAuthn. */
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
  created_at: Date;
}

/** Counts of attempts by rate-limiter-flexible. `expire` is in milliseconds since 1970. */
interface RateLimitsTable {
  key: string;
  points: Generated<number>;
  expire: bigint | null;
}

interface EventsTable {
  owner_id: string;
  aggregate_id: string;
  sequence: bigint;
  /** Order in which followers read; see `readEvents`. */
  position: ColumnType<bigint, never, never>;
  type: string;
  /** The user who caused the event; null for the service itself. */
  editor_id: string | null;
  created_at: Date;
  /** Null once a person's data was erased. */
  payload: unknown;
}
