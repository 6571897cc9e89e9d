import { type Expression, type RawBuilder, sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import { createSealedValues, type SealedParts } from "../../crypto/sealed-values.ts";
import { createLinkSecret, hashSecret } from "../../crypto/secrets.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { foldCase } from "../../database/text-match.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { REGISTRATION_SECONDS } from "../../messages/registration-message.ts";
import type { Language } from "../../texts/languages.ts";
import { toNewName } from "../../users/found-by-other.ts";
import { usersWithPhone } from "../../users/verified-phones.ts";
import { MAX_OF_ADDRESS } from "../find-sign-in-user.ts";

/** A registration that waits for its address to be verified. */
export interface PendingRegistration {
  /** The id that the user will have, so that a link registers one user. */
  readonly userId: string;
  readonly orgId: string;
  readonly email: string;
  readonly language: Language;
  /** Of the application whose sign-in page the person has used: `account` for the account page. */
  readonly appId: string;
}

/**
 * A registration with a link. It is stored, encrypted, by the hash of the code in the link, and deleted when that has
 * expired. `countLink` limits how many there are.
 */
export interface LinkedRegistration extends PendingRegistration {
  /** The sign-in in which it was requested. */
  readonly signInId: string;
}

/** The email may be sent as late as the first half after the request. */
const VALID_SECONDS = 2 * REGISTRATION_SECONDS;

/** The subject is the code. */
const SEALED = createSealedValues<LinkedRegistration>({
  table: "registrations",
  column: "sealed",
  validSeconds: VALID_SECONDS,
});

/** Returns the code of a registration, and the values of its row. */
export function createRegistration(parts: SealedParts, registration: LinkedRegistration) {
  const code = createLinkSecret();
  return {
    code,
    codeHash: hashSecret(code),
    sealed: SEALED.seal(parts, code, registration),
    expiresAt: new Date(parts.clock().getTime() + VALID_SECONDS * 1_000),
  };
}

/** Finds the registration of a link; undefined if the link has expired, or none has this code. */
export async function findRegistration(
  parts: SealedParts & { readonly db: Database },
  code: string,
  caller: QueryCaller,
): Promise<LinkedRegistration | undefined> {
  const [row] = await selectRegistration(parts.db, { codeHash: hashSecret(code) }, caller);
  return row && SEALED.open(parts, code, row.sealed);
}

const selectRegistration = prepareStatement<{ codeHash: Buffer }, { sealed: string }>((db, param) =>
  db.selectFrom("registrations").select("sealed").where("code_hash", "=", param("codeHash", "bytea")),
);

/** What keeps a registration from being completed. */
interface RegistrationState {
  /** Whether it was completed, perhaps by a user who has been removed since. */
  readonly isUsed: boolean;
  /** Whether it is the verified address of a user of the organization, in any state. */
  readonly isAddressTaken: boolean;
  /** Whether it is the user name, or by the rules of a sign-in the address or the number, of another user. */
  readonly isNameTaken: boolean;
}

/** @param userName The name that the user wants. */
export async function findRegistrationState(
  { db }: { readonly db: Database },
  { orgId, userId, email }: PendingRegistration,
  userName: string,
  caller: QueryCaller,
): Promise<RegistrationState> {
  const { userNameKey: nameKey, userNamePhone: phone } = toNewName(userName);
  const values = { orgId, userId, emailKey: userNameKey(email), nameKey, phone };
  const [state] = await selectState(db, values, caller);
  if (state === undefined) throw new Error("the statement gave no row");
  return state;
}

/** Whether an address is the verified one of a user of the organization. */
export function isTakenAddress(orgId: Expression<unknown>, emailKey: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from (
      select email_verified from users
      where org_id = ${orgId} and ${foldCase(sql`coalesce(email, '')`)} collate "C" = ${foldCase(emailKey)}
      order by id limit ${sql.lit(MAX_OF_ADDRESS)}) as of_address
    where email_verified)`;
}

interface StateValues {
  orgId: string;
  userId: string;
  emailKey: string;
  nameKey: string;
  phone: string | null;
}

const selectState = prepareStatement<StateValues, RegistrationState>((db, param) => {
  const orgId = param("orgId", "uuid");
  const nameKey = param("nameKey", "text");
  return db.selectNoFrom([
    sql<boolean>`exists (
      select from events where owner_id = ${orgId} and aggregate_id = ${param("userId", "uuid")})`.as("isUsed"),
    isTakenAddress(orgId, param("emailKey", "text")).as("isAddressTaken"),
    sql<boolean>`(
      exists (select from users where org_id = ${orgId} and user_name_key = ${nameKey})
      or ${isTakenAddress(orgId, nameKey)}
      or exists (select from ${usersWithPhone(sql`${orgId}`, sql`${param("phone", "text")}`)} as of_phone))`.as(
      "isNameTaken",
    ),
  ]);
});
