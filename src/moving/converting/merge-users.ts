import type { ImportOptions } from "../options.ts";
import type { SourceUser } from "../source.ts";
import { toMetadata } from "../sources/metadata.ts";
import { uniqueBy } from "../unique-by.ts";

/**
 * Makes one user of the records of one person. The record with the password is the base, otherwise the first one without links,
 * otherwise the first one: the user has its id, address and `sub`. The others add what it does not have, and their links and passkeys.
 * If one of them is deactivated, the user is.
 */
export function mergeUsers(users: readonly SourceUser[], options: Pick<ImportOptions, "subjects">): SourceUser {
  const base =
    users.find(({ passwordHash }) => passwordHash !== undefined) ??
    users.find(({ links = [] }) => links.length === 0) ??
    users[0];
  if (base === undefined) throw new Error("there is no user to merge");
  const others = users.filter((user) => user !== base);
  const all = [base, ...others];
  const lost = all.flatMap((user) => user.lost ?? []);
  const metadata = all.flatMap((user) => Object.entries(user.metadata ?? {}));
  return {
    ...others.reduce((merged, user) => addRecord(merged, user, options, lost), base),
    secondFactorRequired: all.some((user) => user.secondFactorRequired === true),
    inactive: all.some((user) => user.inactive === true),
    links: uniqueBy(
      all.flatMap(({ links = [] }) => links),
      (link) => `${link.provider} ${link.externalUserId}`,
    ),
    passkeys: uniqueBy(
      all.flatMap(({ passkeys = [] }) => passkeys),
      ({ credentialId }) => credentialId,
    ),
    metadata: toMetadata(
      uniqueBy(metadata, ([key]) => key),
      lost,
    ),
    lost,
  };
}

/** Adds what a user has one of, if it is missing. */
function addRecord(
  user: SourceUser,
  other: SourceUser,
  { subjects }: Pick<ImportOptions, "subjects">,
  lost: string[],
): SourceUser {
  const { subject, passwordChangeRequired, ...added } = other;
  for (const [field, name] of SINGLE) {
    const isSame = user[field] === undefined || other[field] === undefined || user[field] === other[field];
    if (!isSame) lost.push(`second ${name} (of a merged record)`);
  }
  if ((subject ?? (subjects === "ids" ? other.sourceId : undefined)) !== undefined && subjects !== "new")
    lost.push("id that applications have seen (of a merged record)");
  const phone = user.phone ?? other.phone;
  const { recoveryCodes = [] } = user.otp === undefined ? other : user;
  return {
    ...added,
    ...user,
    ...(phone === undefined
      ? {}
      : { phone, phoneVerified: [user, other].some((each) => each.phone === phone && each.phoneVerified === true) }),
    recoveryCodes,
  };
}

/** What a user has one of. */
const SINGLE = [
  ["passwordHash", "password"],
  ["otp", "authenticator app"],
  ["userName", "user name"],
  ["phone", "phone number"],
] as const;
