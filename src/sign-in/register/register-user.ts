import type { Caller } from "../../call.ts";
import { NO_PROFILE } from "../../database/profile.ts";
import type { RunTogether } from "../../database/run-together.ts";
import { SignetError } from "../../errors.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { isForeignIdentifier } from "../../fields/foreign-identifier.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { toNewName } from "../../users/found-by-other.ts";
import type { HumanToImport } from "../../users/import/check-import-human-user.ts";
import { type InsertHumanUser, REGISTERED } from "../../users/import/insert-human-users.ts";
import { INSERT_REGISTERED_USER, type InsertRegisteredUserRow } from "../../users/import/insert-registered-user.ts";
import type { PasskeyToInsert } from "../../users/import/store-credentials.ts";
import { checkEntered, type PersonFields } from "../check-entered.ts";
import { findSignInUser, type SignInUser } from "../find-sign-in-user.ts";
import { findRegistrationState, type PendingRegistration } from "./registration.ts";

type CheckedPerson =
  | { readonly ok: true; readonly human: HumanToImport["human"] }
  /** The first missing or invalid field; or the user name is an address other than the verified one, or a number. */
  | { readonly ok: false; readonly invalid: keyof PersonFields | "foreignAddress" };

/** Checks the fields by the rules of ImportHumanUser, and of `isForeignIdentifier`. */
export function checkPerson({ email, language }: PendingRegistration, fields: PersonFields): CheckedPerson {
  const { userName, firstName, lastName } = fields;
  const profile = { ...NO_PROFILE, firstName, lastName, preferredLanguage: language };
  const { human, invalid } = checkEntered({ userName, profile, email: { email, isEmailVerified: true }, idps: [] });
  const [first] = invalid;
  // The address is verified, not entered.
  if (first === "email") throw new Error(`${first}: is invalid`);
  if (first !== undefined) return { ok: false, invalid: first };
  if (isForeignIdentifier(userName, [email])) return { ok: false, invalid: "foreignAddress" };
  return { ok: true, human: human.human };
}

interface RegisterParts extends ChangeParts {
  readonly runTogether: RunTogether;
}

export interface NewUser {
  readonly human: HumanToImport["human"];
  /** Null with a passkey. */
  readonly passwordHash: string | null;
  readonly passkey?: PasskeyToInsert | undefined;
}

export type RegisterOutcome =
  | { readonly kind: "registered"; readonly user: SignInUser }
  /** The link has registered a user already. */
  | { readonly kind: "used" }
  | { readonly kind: "address-taken" }
  | { readonly kind: "name-taken" }
  /** The passkey is of another user. */
  | { readonly kind: "passkey-taken" };

/**
 * Registers the person who has opened the link of a registration, whose address is thereby verified.
 *
 * @throws SignetError for a failure of the database.
 */
export async function registerUser(
  parts: RegisterParts,
  pending: PendingRegistration,
  newUser: NewUser,
  caller: Caller,
): Promise<RegisterOutcome> {
  const { userName } = newUser.human;
  const before = findObstacle(await findRegistrationState(parts, pending, userName, caller));
  if (before !== undefined) return before;
  const row = await insertUser(parts, pending, newUser, caller);
  if (row.sequence === null) {
    const after = findObstacle(await findRegistrationState(parts, pending, userName, caller));
    if (after !== undefined) return after;
    if (row.collision === null) return { kind: "passkey-taken" };
    return { kind: row.collision === "address" ? "address-taken" : "name-taken" };
  }
  const user = await findSignInUser(parts, pending.userId, caller);
  // The user was removed in the meantime.
  return user === undefined ? { kind: "used" } : { kind: "registered", user };
}

async function insertUser(
  { runTogether, clock }: RegisterParts,
  pending: PendingRegistration,
  newUser: NewUser,
  caller: Caller,
): Promise<InsertRegisteredUserRow> {
  try {
    const row = await runTogether(INSERT_REGISTERED_USER, toCommand(pending, newUser, clock()), caller);
    if (row === undefined) throw new Error("the statement gave no row");
    return row;
  } catch (error) {
    // The statement looks for the passkey in the user's organization only.
    if (error instanceof SignetError && error.reason === "PASSKEY_TAKEN") return { sequence: null, collision: null };
    throw error;
  }
}

/** Why a registration cannot be completed; undefined if it can. */
export function findObstacle({
  isUsed,
  isAddressTaken,
  isNameTaken,
}: Awaited<ReturnType<typeof findRegistrationState>>): RegisterOutcome | undefined {
  if (isUsed) return { kind: "used" };
  if (isAddressTaken) return { kind: "address-taken" };
  return isNameTaken ? { kind: "name-taken" } : undefined;
}

function toCommand(
  { userId, orgId, appId }: PendingRegistration,
  { human, passwordHash, passkey }: NewUser,
  now: Date,
): InsertHumanUser {
  return {
    ...REGISTERED,
    ...human,
    ownerId: orgId,
    // There are no links to its providers.
    instanceId: orgId,
    aggregateId: userId,
    editorId: userId,
    ...toNewName(human.userName),
    emailVerified: true,
    emailKey: userNameKey(human.email),
    passwordHash,
    passkeys: passkey === undefined ? [] : [passkey],
    now,
    events: [
      { type: "user.human.added", payload: { ...human, hasPassword: passwordHash !== null } },
      { type: "user.human.email.verified", payload: { email: human.email } },
      ...(passkey === undefined
        ? []
        : [{ type: "user.human.passwordless.registered", payload: { passkeyId: passkey.id } } as const]),
      { type: "user.human.registered", payload: { appId } },
    ],
  };
}
