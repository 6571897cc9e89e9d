import type { ColumnType, Generated } from "kysely";
import type { AppConfigRow } from "./app-config.ts";
import type { OidcArtifactsTable, SigningKeysTable } from "./oidc-tables.ts";
import type { ProfileRow } from "./profile.ts";

/**
 * The types of the tables. State tables are the source of truth; `events` is an append-only log written by the same
 * statements. The keys of an organization's tables start with its id, so that they can be partitioned by organization.
 */
export interface Tables {
  master_keys: MasterKeysTable;
  instance: InstanceTable;
  orgs: OrgsTable;
  login_policies: LoginPoliciesTable;
  org_domains: OrgDomainsTable;
  users: UsersTable;
  idps: IdpsTable;
  user_idp_links: UserIdpLinksTable;
  idp_attempts: IdpAttemptsTable;
  registrations: RegistrationsTable;
  members: MembersTable;
  tokens: TokensTable;
  codes: CodesTable;
  messages: MessagesTable;
  passkeys: PasskeysTable;
  user_metadata: UserMetadataTable;
  user_app_roles: UserAppRolesTable;
  user_subjects: UserSubjectsTable;
  verified_phones: VerifiedPhonesTable;
  unverified_phones: UnverifiedPhonesTable;
  recovery_codes: RecoveryCodesTable;
  apps: AppsTable;
  apis: ApisTable;
  scim_connections: ScimConnectionsTable;
  scim_requests: ScimRequestsTable;
  oidc_artifacts: OidcArtifactsTable;
  signing_keys: SigningKeysTable;
  brandings: BrandingsTable;
  branding_images: BrandingImagesTable;
  webhooks: WebhooksTable;
  webhook_keys: WebhookKeysTable;
  webhook_deliveries: WebhookDeliveriesTable;
  password_hooks: PasswordHooksTable;
  events: EventsTable;
  rate_limits: RateLimitsTable;
  failed_sign_ins: FailedSignInsTable;
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
  /** The organization of sign-ins that name none; null until it is created, right after the instance. */
  default_org_id: string | null;
}

interface OrgsTable extends Aggregate {
  id: string;
  name: string;
  name_key: string;
  state: ColumnType<"active" | "inactive", "active" | "inactive" | undefined>;
  /** The name of a verified domain. */
  primary_domain: string | null;
  /**
   * Set for a removed organization, which does not exist for any call. Its row is deleted last, after everything that
   * belongs to it.
   */
  removed_at: Generated<Date | null>;
  /** When the removal continues. While a process works on it, when its claim expires. */
  removal_due_at: Generated<Date | null>;
  /** When everything was deleted that belonged to it at its removal. */
  erased_at: Generated<Date | null>;
  /** The number of its users that have been erased. */
  erased_users: Generated<bigint>;
}

/** The domains of organizations. The events and the sequence are those of the organization. */
interface OrgDomainsTable extends Aggregate {
  org_id: string;
  /** The result of `toDomain`. */
  name: string;
  /** How the organization has proved, or is to prove, that it controls the domain. */
  validation_type: "dns" | "http" | null;
  /** What the organization has to publish; null if none was generated, or the domain is verified. */
  token: string | null;
  verified_at: Date | null;
}

/** `owner_id` is the instance or an organization. Sequence and time are those of the owner's event. */
interface LoginPoliciesTable extends Aggregate {
  owner_id: string;
  /** A `LoginPolicy`, without the fields that are newer than the version that stored it. */
  settings: object;
}

/** Human and machine users. For a machine user, only the display name of the profile is stored. */
interface UsersTable extends Aggregate, ProfileRow {
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
  email: string | null;
  email_verified: Generated<boolean>;
  phone: string | null;
  phone_verified: Generated<boolean>;
  /** Modular Crypt Format. */
  password_hash: string | null;
  /** Null if there is no password. */
  password_changed_at: Date | null;
  password_change_required: Generated<boolean>;
  /** Whether sign-ins require a second factor, whatever the login policy says. */
  second_factor_required: Generated<boolean>;
  /** Null if the user has not signed in since this was recorded. */
  last_signed_in_at: Generated<Date | null>;
  /** What a machine user is for; null for a human. */
  description: Generated<string | null>;
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
  /** Whether a sign-out continues at the provider. */
  federated_logout_enabled: Generated<boolean>;
  /** An `IdpKind`. */
  kind: Generated<string>;
  /** `IdpSettings`. */
  config: Generated<object>;
  is_linking_allowed: Generated<boolean>;
  is_creation_allowed: Generated<boolean>;
  is_auto_update: Generated<boolean>;
  auto_linking: Generated<number>;
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
  /** The response of a SAML provider. */
  response: string | null;
  /** Of a SAML provider: what leads from the response to the sign-in, encrypted. */
  origin: string | null;
}

/** Registrations that wait for their addresses to be verified. */
interface RegistrationsTable {
  code_hash: Buffer;
  org_id: string;
  /** The `LinkedRegistration`, encrypted. */
  sealed: string;
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

/** The last number that a user has verified. It may no longer be the number of the user. */
interface VerifiedPhonesTable {
  org_id: string;
  user_id: string;
  phone: string;
}

/** The number of each user who has not verified it. Triggers of `users` write it. */
interface UnverifiedPhonesTable {
  org_id: string;
  user_id: string;
  phone: string;
}

/** The roles of users in applications of their organization. */
interface UserAppRolesTable {
  org_id: string;
  user_id: string;
  app_id: string;
  role: string;
  /** Of the event of the user that gave the role. */
  sequence: bigint;
  created_at: Date;
}

/** Values that applications store with users. */
interface UserMetadataTable extends Aggregate {
  org_id: string;
  user_id: string;
  key: string;
  value: Buffer;
}

/** What applications know a user by, instead of the id. Unique in the instance. */
interface UserSubjectsTable {
  user_id: string;
  org_id: string;
  subject: string;
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
  /** To the hour. */
  last_used_at: Generated<Date | null>;
  revoked_at: Date | null;
}

/** The hashed codes of links and SMS. `expires_at` is null until the message with the code is sent. */
interface CodesTable {
  org_id: string;
  id: string;
  user_id: string;
  kind: "initialization" | "email" | "email-change" | "phone" | "passkey" | "password";
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
  /** The code that the message carries; null for a notice. */
  code_id: string | null;
  /** What the message reports; null for a message with a code. */
  notice: string | null;
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
  /** Whether an import has queued the message; see `claimMessages`. */
  by_import: Generated<boolean>;
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
  /** `unknown` until the first sign-in with a passkey that was imported without it. */
  device_type: "singleDevice" | "multiDevice" | "unknown";
  backed_up: boolean;
  /** Shown to the user, to distinguish passkeys; may be empty. */
  name: Generated<string>;
  created_at: Date;
  /** The last sign-in with it; null if none is known. */
  last_used_at: Generated<Date | null>;
  /** The user handle that it comes with; null for the id of the user; empty if an import did not know it. */
  user_handle: Generated<Buffer | null>;
}

/** Each works once instead of a one-time code, and is then deleted. */
interface RecoveryCodesTable {
  org_id: string;
  user_id: string;
  /** See `macRecoveryCode`; of a code of an earlier version, `hashRecoveryCode`. */
  hash: Buffer;
  created_at: Date;
}

/** APIs of organizations: audiences of access tokens. */
interface ApisTable extends Aggregate {
  owner_id: string;
  id: string;
  name: string;
  /** The resource indicator (RFC 8707). Unique in the instance. */
  identifier: string;
  scopes: string[];
  /** The applications that may introspect tokens for it. Some may have been removed. */
  introspector_app_ids: string[];
  /** Whether clients that nobody registers (`client-documents.ts`) get tokens for it. */
  allows_unregistered_clients: boolean;
}

/** SCIM connections of organizations. */
interface ScimConnectionsTable extends Aggregate {
  owner_id: string;
  id: string;
  name: string;
  /** SHA-256. */
  token_hash: Buffer;
  /** The token before the last rotation. */
  previous_token_hash: Buffer | null;
  previous_token_until: Date | null;
  /** To the hour. */
  last_used_at: Date | null;
  /** Numbers of `ScimAddressRule` and `ScimLinkAttribute`, never 0. */
  address_rule: number;
  link_attribute: number;
  /** They may have been removed. */
  idp_id: string | null;
  group_app_id: string | null;
  /** The path of the attribute, if it is an own one. */
  link_path: string | null;
  is_trial: Generated<boolean>;
  /** Of the requests that were stored. */
  request_count: Generated<bigint>;
}

/** The latest requests of SCIM connections. Each takes the place of the one that was the 1,000th before it. */
interface ScimRequestsTable {
  owner_id: string;
  connection_id: string;
  /** `position` modulo 1,000. */
  slot: number;
  position: bigint;
  created_at: Date;
  method: string;
  path: string;
  status: number;
  outcome: string;
  detail: string;
  user_id: string | null;
  sender: string;
}

/**
 * Applications: clients of the OpenID provider. `owner_id` is the instance or an organization; `id` is the client id.
 */
interface AppsTable extends Aggregate, AppConfigRow {
  owner_id: string;
  id: string;
  name: string;
  state: Generated<"active" | "inactive">;
  /** SHA-256 of the client secret; null for the methods `none` and `private_key_jwt`. */
  secret_hash: Buffer | null;
}

/** The branding of an owner: the instance or an organization. */
interface BrandingsTable extends Aggregate {
  owner_id: string;
  id: string;
  /** The label policy as last edited (`Label` in src/branding); null if there is none. */
  draft: ColumnType<unknown, object | string | null | undefined, object | null>;
  /** The label policy that pages and emails use; null if none has been activated. */
  active: ColumnType<unknown, object | null | undefined, object | null>;
  /** The replaced texts of messages (`CustomTexts` in src/branding). */
  texts: ColumnType<unknown, object | string | undefined, object>;
  /** The replaced texts of pages (`PageTextsByLanguage` in src/branding) as last edited. */
  page_texts: ColumnType<unknown, object | string | undefined, object>;
  /** The replaced texts that pages use. */
  active_page_texts: ColumnType<unknown, object | string | undefined, object>;
}

/** The images that the draft and the active label policy of an owner use. */
interface BrandingImagesTable {
  owner_id: string;
  /** SHA-256 of `data` in base64url. */
  hash: string;
  /** A PNG file. */
  data: Buffer;
  created_at: Date;
}

/** The URLs that get the events of an organization. */
interface WebhooksTable extends Aggregate {
  owner_id: string;
  id: string;
  /** Unique in the organization, so it bounds the number of webhooks. */
  slot: number;
  name: string;
  url: string;
  /** Empty for all types. */
  event_types: string[];
  includes_payload: boolean;
  state: Generated<"active" | "inactive">;
  /** The events of the organization up to this position have deliveries. */
  position: bigint;
  /** The signing key in `webhook_keys`. */
  key_id: string;
  /** The key before the last rotation, with which deliveries are also signed until a time. */
  previous_key_id: Generated<string | null>;
  previous_key_until: Generated<Date | null>;
}

/** The encrypted signing keys of webhooks. */
interface WebhookKeysTable {
  owner_id: string;
  id: string;
  webhook_id: string;
  secret: Buffer;
  secret_key: string;
}

/** An event that is sent to a webhook. The payload is read from `events` when it is sent. */
interface WebhookDeliveriesTable {
  owner_id: string;
  /** The header `webhook-id` of all of its attempts. */
  id: string;
  webhook_id: string;
  /** The position of the event. Deliveries of one object are sent in this order. */
  position: bigint;
  /** With the sequence, the key of the event. */
  aggregate_id: string;
  sequence: bigint;
  event_type: string;
  event_created_at: Date;
  created_at: Date;
  state: Generated<"waiting" | "sent" | "failed">;
  /** Number of attempts, including one in progress. */
  attempts: Generated<number>;
  /** When the next attempt is due. During an attempt, when its claim expires. Null in a final state. */
  next_attempt_at: Date | null;
  ended_at: Date | null;
  /** Why the last attempt failed. Contains no secret. */
  last_error: string | null;
}

/** The URLs that verify the passwords of users who have none. An organization has at most one. */
interface PasswordHooksTable extends Aggregate {
  owner_id: string;
  /** Of the signing key: another one each time the hook is set. */
  id: string;
  url: string;
  /** The encrypted signing key. */
  secret: Buffer;
  secret_key: string;
}

/** Counters of attempts. `expire` is in milliseconds since the epoch. */
interface RateLimitsTable {
  key: string;
  points: Generated<number>;
  expire: bigint | null;
}

/** How many attempts to sign in have failed in an hour. */
interface FailedSignInsTable {
  org_id: string;
  /** The nil id for names that no user has. */
  user_id: string;
  /** The start of the hour. */
  hour: Date;
  kind: "password" | "one-time-code" | "passkey";
  /** The IPv4 /24 or IPv6 /48; empty if it is not known. */
  network: string;
  /** Empty if it is not known. */
  browser: string;
  count: bigint;
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
  /** The order in which followers read; see `examples/events/read-events.ts`. */
  position: ColumnType<bigint, never, never>;
  type: string;
  /** The user that caused the event; null for the service itself. */
  editor_id: string | null;
  created_at: Date;
  /** Null after the user's personal data was erased. */
  payload: unknown | null;
}
