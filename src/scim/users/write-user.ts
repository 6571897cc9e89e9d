import { createId } from "../../crypto/secrets.ts";
import { mapProfile, NO_PROFILE, type ProfilePayload, toProfile } from "../../database/profile.ts";
import { type Problems, type Reason, SignetError } from "../../errors.ts";
import { retryWhenChanged } from "../../events/retry-when-changed.ts";
import { describeEmailProblem } from "../../fields/email.ts";
import { isNoAddress } from "../../fields/no-address.ts";
import { isCoveredAddress } from "../../orgs/domains/is-covered-address.ts";
import { addIdpLink, removeIdpLink } from "../../users/change/change-idp-links.ts";
import { deactivateUser, reactivateUser } from "../../users/change/change-user-state.ts";
import { removeHumanPhone } from "../../users/change/remove-human-phone.ts";
import { updateHumanEmail } from "../../users/change/update-human-email.ts";
import { updateHumanPhone } from "../../users/change/update-human-phone.ts";
import { updateHumanProfile } from "../../users/change/update-human-profile.ts";
import { updateUserName } from "../../users/change/update-user-name.ts";
import { checkImportHumanUser, type HumanToImport } from "../../users/import/check-import-human-user.ts";
import { importHumanUser } from "../../users/import/import-human-user.ts";
import { removeUserMetadata, setUserMetadata } from "../../users/metadata/change-user-metadata.ts";
import { findTakenValues } from "../../users/read/find-taken-values.ts";
import { ADDRESS_RULE } from "../connections/scim-settings.ts";
import { invalidValue } from "../protocol/scim-error.ts";
import { textAt } from "../protocol/text-path.ts";
import { runInTransaction } from "../run-in-transaction.ts";
import type { ScimCall } from "../scim-call.ts";
import type { UserParts } from "../user-parts.ts";
import { type GivenUser, toNames } from "./read-user.ts";
import { findUser, type StoredUser } from "./stored-user.ts";
import { isActive, toAttributes } from "./to-user-resource.ts";
import { METADATA_ATTRIBUTES } from "./user-schemas.ts";

/**
 * Creates a user as `ImportHumanUser` does. Returns the id.
 *
 * @throws ScimError invalidValue; SignetError of `importHumanUser`.
 */
export async function createUser(parts: UserParts, given: GivenUser, call: ScimCall): Promise<string> {
  const plan = await checkUser(parts, given, undefined, call);
  const { userId } = await importHumanUser(parts, plan.human, call);
  return userId;
}

/** A user after a change. */
interface ChangedUser {
  readonly user: StoredUser;
  readonly outcome: "changed" | "deactivated" | "unchanged";
}

/**
 * Changes a user so that it has the given attributes, with the operations of the calls for each of them, in one
 * transaction. What is stored already is not changed. If another request has changed the user meanwhile, begins again.
 *
 * @param read Reads the user, and compares the version with the header `if-match`.
 * @param toGiven The attributes for those that are stored.
 * @throws ScimError invalidValue; errors of `read` and `toGiven`; SignetError of the operations: PERMISSION_DENIED for a
 *   user with a role.
 */
export async function changeUser(
  parts: UserParts,
  read: () => Promise<StoredUser>,
  toGiven: (stored: StoredUser) => GivenUser,
  call: ScimCall,
): Promise<ChangedUser> {
  return await retryWhenChanged<ChangedUser>(async () => {
    const user = await read();
    const given = toGiven(user);
    const plan = await checkUser(parts, given, user, call);
    const [first] = changesOf(parts, user, given, plan, call);
    if (first === undefined) return { user, outcome: "unchanged" };
    await throwIfTaken(parts, user, plan.human, call);
    return await runInTransaction(parts, call, async (own) => {
      if (!(await holdVersion(own, user, call))) return undefined;
      for (const change of changesOf(own, user, given, plan, call)) await change();
      const outcome = given.active === false && isActive(user.row) ? "deactivated" : "changed";
      return { user: await findUser(own, { id: user.row.id, idpId: call.connection.idpId }, call), outcome };
    });
  });
}

/** Locks a user in a transaction. Resolves to whether the user still has the version that was read. */
export async function holdVersion({ db }: UserParts, { row }: StoredUser, { orgId }: ScimCall): Promise<boolean> {
  const users = db.selectFrom("users").select("sequence").where("org_id", "=", orgId).where("id", "=", row.id);
  const held = await users.forNoKeyUpdate().executeTakeFirst();
  return held?.sequence === row.sequence;
}

interface UserPlan {
  readonly human: HumanToImport;
  readonly isQuiet: boolean;
}

/** Applies the rules of an import to the attributes, and those of the connection. */
async function checkUser(
  parts: UserParts,
  given: GivenUser,
  stored: StoredUser | undefined,
  call: ScimCall,
): Promise<UserPlan> {
  const { addressRule, idpId } = call.connection;
  const email = given.email ?? stored?.row.email ?? addressOf(given);
  const isCovered = await isCoveredDomain(parts, email, call);
  const isNew = email !== stored?.row.email;
  if (isNew && !isCovered && addressRule === ADDRESS_RULE.reject) {
    throw invalidValue("emails: must be an address in a verified domain of the organization");
  }
  const externalUserId = externalUserIdOf(given, call);
  const isQuiet = addressRule !== ADDRESS_RULE.invite || (isCovered && externalUserId !== undefined);
  const [firstName, lastName] = toNames(given);
  const { userName, displayName, nickName, preferredLanguage } = given;
  const kept = stored === undefined ? NO_PROFILE : toProfile(stored.row);
  const problems = createProblems();
  const human = checkImportHumanUser(
    {
      userName,
      // What SCIM has no attribute for stays.
      profile: { ...kept, firstName, lastName, displayName, nickName, preferredLanguage },
      email: { email, isEmailVerified: isCovered },
      ...(given.phone !== undefined && { phone: { phone: given.phone, isPhoneVerified: false } }),
      passwordChangeRequired: false,
      requestPasswordlessRegistration: false,
      otpCode: "",
      idps:
        idpId === null || externalUserId === undefined
          ? []
          : [{ configId: idpId, externalUserId, displayName: userName.slice(0, LONGEST_NAME) }],
      metadata: [...given.metadata].map(([key, value]) => ({ key, value: Buffer.from(value) })),
      state: given.active === false ? INACTIVE : ACTIVE,
      message: isQuiet ? MESSAGE_NONE : MESSAGE_DEFAULT,
    },
    problems,
  );
  problems.throwIfAny();
  return { human, isQuiet };
}

/** Looks a domain up once for all users of a bulk request. */
function isCoveredDomain(parts: UserParts, email: string, call: ScimCall): Promise<boolean> {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const found = call.coveredDomains?.get(domain) ?? isCoveredAddress(parts, email, call);
  call.coveredDomains?.set(domain, found);
  return found;
}

/** Numbers of the API: of `State`, and of `Message`. */
const [ACTIVE, INACTIVE] = [1, 2];
const [MESSAGE_DEFAULT, MESSAGE_NONE] = [0, 1];
const LONGEST_NAME = 200;

/** In a directory, the user name is often the address. A user without one gets a placeholder, as in an import. */
function addressOf({ userName }: GivenUser): string {
  return describeEmailProblem(userName) === undefined ? userName : `${createId()}@scim.invalid`;
}

function externalUserIdOf({ attributes }: GivenUser, { connection }: ScimCall): string | undefined {
  const { idpId, linkPath } = connection;
  const value = idpId === null ? undefined : textAt(attributes, linkPath);
  if (value === undefined || value.length <= LONGEST_NAME) return value;
  throw invalidValue(
    `${linkPath}: has more than ${LONGEST_NAME} characters, so the user cannot be linked to the provider`,
  );
}

/** The names of attributes for the paths of an import. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  "profile.firstName": "name.givenName",
  "profile.lastName": "name.familyName",
  "profile.displayName": "displayName",
  "profile.nickName": "nickName",
  "profile.preferredLanguage": "preferredLanguage",
  "email.email": "emails",
  "phone.phone": "phoneNumbers",
};

function createProblems(): Problems & { throwIfAny(): void } {
  const texts: string[] = [];
  return {
    add: (field, description) => texts.push(`${ATTRIBUTES[field] ?? field}: ${description}`),
    throwIfAny() {
      if (texts.length > 0) throw invalidValue(texts.join("; "));
    },
  };
}

/** The changes, in the order in which they are made: the end of access first, its return last. */
function* changesOf(
  parts: UserParts,
  stored: StoredUser,
  given: GivenUser,
  { human: { human, emailVerified, links }, isQuiet }: UserPlan,
  call: ScimCall,
): Generator<() => Promise<unknown>> {
  const { row } = stored;
  const userId = row.id;
  const wasActive = isActive(row);
  if (given.active === false && wasActive) yield () => deactivateUser(parts, { id: userId }, call);
  if (human.userName !== row.user_name) yield () => updateUserName(parts, { userId, userName: human.userName }, call);
  const becomesVerified = emailVerified && !row.email_verified;
  if (human.email !== row.email || (becomesVerified && !isNoAddress(human.email))) {
    const change = { userId, email: human.email, verified: emailVerified || null, isQuiet };
    yield () => updateHumanEmail(parts, { ...change, changesName: false, needsFreeAddress: false }, call);
  }
  const { phone } = human;
  if (phone === null && row.phone !== null) yield () => removeHumanPhone(parts, { userId }, call);
  if (phone !== null && phone !== row.phone) {
    yield () => updateHumanPhone(parts, { userId, phone, verified: null, isQuiet }, call);
  }
  yield* metadataChanges(parts, stored, given, call);
  yield* linkChanges(parts, stored, links[0], call);
  const profile = mapProfile<ProfilePayload>((name) => human[name]);
  if (!isStoredProfile(profile, row)) yield () => updateHumanProfile(parts, { userId, profile }, call);
  if (given.active === true && !wasActive) yield () => reactivateUser(parts, { id: userId }, call);
}

function* metadataChanges(parts: UserParts, stored: StoredUser, given: GivenUser, call: ScimCall) {
  const { id } = stored.row;
  const set = [...given.metadata].filter(([key, value]) => stored.metadata.get(key) !== value);
  const items = set.map(([key, value]) => ({ key, value: Buffer.from(value) }));
  if (items.length > 0) yield () => setUserMetadata(parts, { id, items }, call);
  const keys = METADATA_ATTRIBUTES.map(({ key }) => key).filter(
    (key) => stored.metadata.has(key) && !given.metadata.has(key),
  );
  if (keys.length > 0) yield () => removeUserMetadata(parts, { id, keys }, call);
}

/** A link that a sign-in has given another id (`user.human.idp.relinked`) is kept while the attribute is the same. */
function* linkChanges(
  parts: UserParts,
  stored: StoredUser,
  link: HumanToImport["links"][number] | undefined,
  call: ScimCall,
) {
  const { row, links } = stored;
  if (link === undefined || links.includes(link.externalUserId)) return;
  const former = textAt(toAttributes(stored), call.connection.linkPath);
  if (former === link.externalUserId && links.length > 0) return;
  yield () => addIdpLink(parts, { userId: row.id, ...link }, call);
  if (former === undefined || !links.includes(former)) return;
  yield () => removeIdpLink(parts, { userId: row.id, idpId: link.idpId, linkedUserId: former }, call);
}

function isStoredProfile(profile: ProfilePayload, row: StoredUser["row"]): boolean {
  const held = toProfile(row);
  return Object.entries(held).every(([name, value]) => (profile[name as keyof ProfilePayload] ?? "") === value);
}

/** What is only found by a statement that fails would leave the changes before it. */
async function throwIfTaken(
  parts: UserParts,
  { row, links }: StoredUser,
  { human, emailVerified, links: given, metadata }: HumanToImport,
  call: ScimCall,
): Promise<void> {
  const isSame = human.userName === row.user_name;
  const externalId = metadata.find(({ key }) => key === "external_id")?.value ?? "";
  const asked = {
    externalId: new Uint8Array(),
    userName: isSame ? "" : human.userName,
    email: { email: human.email, isEmailVerified: emailVerified },
    subject: "",
    idps: given
      .filter(({ externalUserId }) => !links.includes(externalUserId))
      .map((link) => ({ ...link, configId: link.idpId })),
  };
  const byId = { externalId: Buffer.from(externalId, "base64"), userName: "", subject: "", idps: [] };
  const [values, holder] = await findTakenValues(parts, { users: [asked, byId] }, call);
  const taken = values?.taken.find(({ userId }) => userId !== row.id);
  if (taken !== undefined) throw takenBy(TAKEN[taken.field] ?? "IDP_LINK_TAKEN");
  if (holder !== undefined && holder.userId !== "" && holder.userId !== row.id) throw takenBy("EXTERNAL_ID_TAKEN");
}

const TAKEN: Readonly<Record<string, Reason>> = { userName: "USER_NAME_TAKEN", "email.email": "EMAIL_TAKEN" };

const TAKEN_TEXTS: Partial<Record<Reason, string>> = {
  USER_NAME_TAKEN: "userName: another user has this name, or signs in with it",
  EMAIL_TAKEN: "emails: another user has this address as user name",
  EXTERNAL_ID_TAKEN: "externalId: another user has it",
  IDP_LINK_TAKEN: "another user is linked to this user of the provider",
};

function takenBy(reason: Reason): SignetError {
  return new SignetError(reason, TAKEN_TEXTS[reason] ?? "another user has the value");
}
