import { type Expression, type RawBuilder, sql } from "kysely";
import { insertCodes } from "../../codes/issue-code.ts";
import type { FormSize } from "../../database/command.ts";
import {
  type Columns,
  columnsOf,
  createCommandList,
  NOTHING,
  type Numbered,
  orgOf,
} from "../../database/command-list.ts";
import { prepareListWrite } from "../../database/prepare-list.ts";
import { PROFILE_TYPES } from "../../database/profile.ts";
import { profileColumns } from "../../database/profile-columns.ts";
import type { CommandKind } from "../../database/run-together.ts";
import type { Tables } from "../../database/tables.ts";
import { createdColumns } from "../../events/aggregate-columns.ts";
import { appendEvents } from "../../events/append-events.ts";
import type { HumanPayload, IdpLinkPayload } from "../../events/catalogue.ts";
import type { ObjectRow } from "../../events/object-details.ts";
import {
  LISTED_OUTBOX_COLUMNS,
  type ListedOutboxValues,
  type OutboxValues,
  queueMessages,
} from "../../messages/outbox.ts";
import { isAddressOfOther, isFoundByOther, isNameOfOther } from "../found-by-other.ts";
import { type StoredItem, storedItemsIn } from "../metadata/stored-items.ts";
import { isIdOfUser, storeSubjects } from "../subjects.ts";
import { storeVerifiedPhones } from "../verified-phones.ts";
import { INSERT_PASSKEYS, INSERT_RECOVERY_CODES, type PasskeyToInsert } from "./store-credentials.ts";

/** The payload of the event of a human user, and the data that events must not contain. */
export interface InsertHumanUser extends Omit<HumanPayload, "hasPassword" | "subject">, ListedOutboxValues {
  instanceId: string;
  userNameKey: string;
  /** E.164 if the name is a phone number. */
  userNamePhone: string | null;
  emailVerified: boolean;
  /** The key of the verified address, by which it is compared with names; null if it is not verified. */
  emailKey: string | null;
  /** Whether no other active user may have verified the address: if neither the user nor a caller has proved it here. */
  needsFreeAddress: boolean;
  phoneVerified: boolean;
  passwordHash: string | null;
  initialized: boolean;
  /** Made by `bytesToText`. */
  otpCode: string | null;
  otpCodeKey: string | null;
  links: readonly LinkToInsert[];
  /** Their events follow the first one, in this order. */
  metadata: readonly StoredItem[];
  state: "active" | "inactive";
  /** The `sub` that applications see instead of the id. */
  subject: string | null;
  /** Hashes in hexadecimal. */
  recoveryCodes: readonly string[];
  passkeys: readonly PasskeyToInsert[];
}

/** What the row of a person who registers has by default: nothing of another system, and no messages. */
export const REGISTERED = {
  codes: [],
  messages: [],
  needsFreeAddress: true,
  phoneVerified: false,
  passwordHash: null,
  // There is a way to sign in.
  initialized: true,
  otpCode: null,
  otpCodeKey: null,
  links: [],
  metadata: [],
  state: "active",
  subject: null,
  recoveryCodes: [],
  passkeys: [],
} as const satisfies Partial<InsertHumanUser>;

/** A link, by default to the provider in any version. */
interface LinkToInsert extends IdpLinkPayload {
  /** The version of the provider that has confirmed the external user. */
  readonly idpSequence?: string;
}

const HUMAN_USER_COLUMNS = {
  ...LISTED_OUTBOX_COLUMNS,
  instanceId: "uuid",
  userName: "text",
  userNameKey: "text",
  userNamePhone: "text",
  ...PROFILE_TYPES,
  email: "text",
  emailVerified: "boolean",
  emailKey: "text",
  needsFreeAddress: "boolean",
  phone: "text",
  phoneVerified: "boolean",
  passwordHash: "text",
  initialized: "boolean",
  passwordChangeRequired: "boolean",
  otpCode: "bytea",
  otpCodeKey: "text",
  links: "jsonb",
  metadata: "jsonb",
  state: "text",
  subject: "text",
  recoveryCodes: "jsonb",
  passkeys: "jsonb",
  secondFactorRequired: "boolean",
} as const satisfies Columns<InsertHumanUser>;

/** The list of users for a statement. */
export const HUMAN_COMMANDS = createCommandList<InsertHumanUser>(HUMAN_USER_COLUMNS);

/**
 * The user's details; or no sequence, and the numbers of the links to unknown providers, whether the subject is the id of a
 * user, and which identifier is another user's. With none of them, the name is taken.
 */
type InsertHumanUserRow =
  | ObjectRow
  | {
      readonly sequence: null;
      readonly unknownLinks: number[];
      readonly isSubjectTaken: boolean;
      readonly collision: Collision | null;
    };

/** The identifier by which another user is found; `address` if it must be free, and another user has verified it. */
export type Collision = "userName" | "email" | "phone" | "address";

/**
 * Inserts human users with their links to identity providers, events, codes and messages. Skips users whose name is
 * taken, whose name, address or number finds another user, whose subject is the id of a user, or who have a link to a provider
 * of another organization, or to another version of a provider.
 *
 * Only the whole form stores what comes from another system: subjects, recovery codes and passkeys.
 */
const insertHumanUsers = prepareListWrite<InsertHumanUser, InsertHumanUserRow & Numbered>(
  HUMAN_COMMANDS,
  (db, commands, returnRows, size) => {
    const written = columnsOf<OutboxValues>("changed");
    const [isShort, isWhole] = [size === "short", size === "whole"];
    return returnRows(
      db
        .with("given", () => commands)
        .with("link", () => findProviders(isShort))
        .with("unknown", () => sql`(select number, position from link where owner_id is null)`)
        .with("confused", () => (isWhole ? sql`(select number from given where ${isIdOfUser})` : NOTHING))
        .with("collided", () => findCollisions(size))
        .with("created", () => insertUsers(size))
        .with("written", () => WRITTEN)
        .with("found_by", () => (isShort ? NOTHING : storeVerifiedPhones(VERIFIED_PHONES)))
        .with("linked", () => (isShort ? NOTHING : INSERT_LINKS))
        .with("described", () => (isShort ? NOTHING : INSERT_METADATA))
        .with("known_by", () => (isWhole ? storeSubjects("written") : NOTHING))
        .with("recovered_by", () => (isWhole ? INSERT_RECOVERY_CODES : NOTHING))
        .with("registered", () => (isWhole ? INSERT_PASSKEYS : NOTHING))
        .with("appended", () => appendEvents(written, "written"))
        .with("coded", () => (isShort ? NOTHING : insertCodes(written, "written")))
        .with("queued", () => (isShort ? NOTHING : queueMessages(written, "written", { byImport: true })))
        .with("result", () => resultOf(size)),
    );
  },
  { sizes: ["short", "usual", "whole"] },
);

const given = columnsOf<InsertHumanUser>("given");

/** Columns that an import does not set. */
type LaterColumn =
  | "description"
  | "last_signed_in_at"
  | "otp_last_step"
  | "passkey_declined_at"
  | "sessions_ended_sequence";

/** The columns of a new user, from the part `given`. */
export const NEW_HUMAN_USER = {
  org_id: given("ownerId", "uuid"),
  id: given("aggregateId", "uuid"),
  kind: sql.lit("human"),
  ...createdColumns(columnsOf<OutboxValues>("given")),
  user_name: given("userName", "text"),
  user_name_key: given("userNameKey", "text"),
  ...profileColumns(given),
  email: given("email", "text"),
  email_verified: given("emailVerified", "boolean"),
  phone: given("phone", "text"),
  phone_verified: given("phoneVerified", "boolean"),
  password_hash: given("passwordHash", "text"),
  password_changed_at: sql`case when ${given("passwordHash", "text")} is not null then ${given("now", "timestamptz")} end`,
  state: given("state", "text"),
  initialized: given("initialized", "boolean"),
  password_change_required: given("passwordChangeRequired", "boolean"),
  second_factor_required: sql`coalesce(${given("secondFactorRequired", "boolean")}, false)`,
  otp_code: given("otpCode", "bytea"),
  otp_code_key: given("otpCodeKey", "text"),
} satisfies Record<Exclude<keyof Tables["users"], LaterColumn>, Expression<unknown>>;

/**
 * The part with the links, and the owners of their providers. A subquery per link, so that the provider is looked up by
 * key regardless of the planner's estimates. The lock makes a concurrent change of the provider wait, or be seen.
 * Without links, PostgreSQL would plan it for nothing, because a locking query is not inlined.
 */
function findProviders(isShort: boolean): RawBuilder<object> {
  return sql`(
    select given.number, link.position, link.idp_id, link.external_user_id, link.display_name, (
      select idps.owner_id from idps
      where idps.id = link.idp_id and idps.owner_id in (given."ownerId", given."instanceId")
        and idps.sequence = coalesce(link.idp_sequence, idps.sequence)
      limit 1 ${isShort ? sql`` : sql`for key share`}) as owner_id
    from given cross join lateral ${givenLinks(given("links", "jsonb"))})`;
}

/** The user of the row `given`. */
const GETTER = { orgId: orgOf("given"), userId: given("aggregateId", "uuid") };

/**
 * The part with the identifier of each user that finds another user; null if there is none. In the short form, no number is an
 * identifier.
 *
 * @param mayBeName Whether the address may be the name of another user.
 */
export function findCollisions(size: FormSize, mayBeName = false): RawBuilder<object> {
  const emailKey = given("emailKey", "text");
  const nameKey = given("userNameKey", "text");
  const phone = given("phone", "text");
  const ofName = sql`
    when ${emailKey} <> ${nameKey} and ${isNameOfOther(emailKey, "email", GETTER)} then 'email'`;
  const ofPhones = sql`
    when ${given("phoneVerified", "boolean")} and ${phone} <> ${nameKey} and ${isNameOfOther(phone, "phone", GETTER)}
      then 'phone'`;
  const ofAddress = sql`
    when ${given("needsFreeAddress", "boolean")} and ${isAddressOfOther(emailKey, GETTER)} then 'address'`;
  const isShort = size === "short";
  return sql`(
    select given.number, case ${isShort ? sql`` : ofAddress}
      when ${isShort ? isAddressOfOther(nameKey, GETTER) : isFoundByOther(given, GETTER)} then 'userName'
      ${mayBeName ? sql`` : ofName} ${isShort ? sql`` : ofPhones} end as field
    from given)`;
}

/**
 * The part that inserts the users of the part `given`. The order is the same in all imports, so that two imports with the
 * same names or links wait instead of deadlocking.
 *
 * @param size The short form has no part `unknown`, because there are no links. Only the whole one has `confused`.
 */
function insertUsers(size: FormSize): RawBuilder<object> {
  return sql`(
    insert into users (${sql.join(Object.keys(NEW_HUMAN_USER).map((column) => sql.ref(column)))})
    select ${sql.join(Object.values(NEW_HUMAN_USER))} from given
    ${ACCEPTED[size]}
    order by given."userNameKey"
    on conflict on constraint users__user_name do nothing
    returning id, sequence, created_at, changed_at)`;
}

/** Whether no identifier of the user finds another one: see `findCollisions`. */
export const IS_FREE = sql<boolean>`(
  given.number not in (select collided.number from collided where collided.field is not null))`;
const FREE = sql`where ${IS_FREE}`;
const KNOWN = sql`${FREE} and given.number not in (select unknown.number from unknown)`;
const ACCEPTED = {
  short: FREE,
  usual: KNOWN,
  whole: sql`${KNOWN} and given.number not in (select confused.number from confused)`,
} as const satisfies Record<FormSize, RawBuilder<unknown>>;

/** The part with the inserted users. */
export const WRITTEN = sql<object>`(
  select given.*, created.sequence, created.created_at, created.changed_at
  from given join created on created.id = given."aggregateId")`;

/** The part with the verified numbers of the inserted users. */
const VERIFIED_PHONES = sql<object>`(
  select written."ownerId" as org_id, written."aggregateId" as user_id, written.phone
  from written where written.phone is not null and written."phoneVerified")`;

const INSERT_LINKS = sql<object>`(
  insert into user_idp_links
    (org_id, idp_id, external_user_id, idp_owner_id, user_id, display_name, created_at)
  select written."ownerId", link.idp_id, link.external_user_id, link.owner_id, written."aggregateId",
    link.display_name, written.created_at
  from written join link on link.number = written.number
  order by link.idp_id, link.external_user_id)`;

const INSERT_METADATA = sql<object>`(
  insert into user_metadata (org_id, user_id, key, value, sequence, created_at, changed_at)
  select written."ownerId", written."aggregateId", item.key, item.value, 1 + item.position, written.created_at,
    written.created_at
  from written cross join lateral ${storedItemsIn(sql`written.metadata`)}
  order by written."userNameKey")`;

/** The part with a row for each command. */
function resultOf(size: FormSize): RawBuilder<object> {
  const unknown = sql`array(
    select unknown.position from unknown where unknown.number = given.number order by unknown.position)`;
  return sql`(
    select given.number, written.sequence, written.created_at, written.changed_at,
      ${size === "short" ? sql`'{}'::int[]` : unknown} as "unknownLinks",
      ${size === "whole" ? sql`given.number in (select confused.number from confused)` : sql`false`} as "isSubjectTaken",
      (select collided.field from collided where collided.number = given.number) as collision
    from given left join written on written.number = given.number)`;
}

export const INSERT_HUMAN_USER: CommandKind<InsertHumanUser, InsertHumanUserRow> = {
  name: "import_human_user",
  list: HUMAN_COMMANDS,
  statement: insertHumanUsers,
  toGroup: ({ ownerId }) => ownerId,
  toKeys: ({ userNameKey, userNamePhone, emailKey, phone, phoneVerified, links, metadata, subject, passkeys }) => [
    ...toNameKeys([userNameKey, userNamePhone, emailKey, phoneVerified ? phone : null]),
    ...(subject === null ? [] : [`subject ${subject}`]),
    ...passkeys.map(({ id }) => `passkey ${id}`),
    ...metadata.flatMap(({ key, value }) => (key === "external_id" ? `external id ${value}` : [])),
    ...links.map(({ idpId, externalUserId }) => `link ${idpId.toLowerCase()} ${externalUserId}`),
  ],
  toSize: (user) => {
    const { links, metadata, codes, messages, phone, phoneVerified, userNamePhone, subject, recoveryCodes, passkeys } =
      user;
    if (subject !== null || recoveryCodes.length + passkeys.length > 0) return "whole";
    const hasNumber = userNamePhone !== null || (phone !== null && phoneVerified);
    return hasNumber || links.length + metadata.length + codes.length + messages.length > 0 ? "usual" : "short";
  },
};

/** The keys of a command for what finds its user: users who share any of it do not share a statement, so that one sees the other. */
export function toNameKeys(identifiers: readonly (string | null)[]): string[] {
  return [...new Set(identifiers)].flatMap((each) => (each === null ? [] : `name ${each}`));
}

/** The links of a user as rows, with their positions from 0. */
export function givenLinks(links: Expression<unknown>) {
  type Link = {
    position: number;
    idp_id: string;
    external_user_id: string;
    display_name: string;
    idp_sequence: bigint | null;
  };
  return sql<Link>`(
    select ordinality::int - 1 as position, "idpId" as idp_id, "externalUserId" as external_user_id,
      "displayName" as display_name, "idpSequence" as idp_sequence
    from rows from (jsonb_to_recordset(${links}) as ("idpId" uuid, "externalUserId" text, "displayName" text,
      "idpSequence" bigint)) with ordinality)`.as("link");
}
