import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import { PROFILE_FIELDS } from "../../database/profile.ts";
import { encodeBase64 } from "../../fields/bytes.ts";
import { canonicalLanguage } from "../../fields/language.ts";
import { cutName } from "../../fields/name.ts";
import { isNoAddress } from "../../fields/no-address.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { inOrg } from "../in-org.ts";
import type { MovingApi } from "../moving-api.ts";
import { compareUser } from "./compare-user.ts";
import { readImportedValues } from "./read-imported-values.ts";
import { createMetadataReader, type FieldChange, readStoredValues, type StoredValue } from "./stored-values.ts";
import { isSameValue, isVerified, plainOf } from "./value-text.ts";

/** What an update changes of a user. */
export interface UpdatePlan {
  readonly changes: readonly FieldChange[];
  /** Fields that somebody else has changed since the import. */
  readonly kept: readonly string[];
  /** Fields that differ and that an update does not change, such as a password. */
  readonly others: readonly string[];
  /** Whether the user name is the address, before and after. */
  readonly changesName: boolean;
}

export interface PlanParts {
  readonly api: MovingApi;
  /** Who makes the update, as in events; empty for the command line. */
  readonly callerId: string;
  /** Whether a new address may get an email with a link. */
  readonly sendsMessages: boolean;
}

/** Finds what to change of a user whom an import has made, so that the user is as in the export. */
export async function planUpdate(
  { api, callerId, sendsMessages }: PlanParts,
  user: User,
  request: ImportHumanUserRequest,
  orgId: string,
): Promise<UpdatePlan> {
  const options = inOrg(orgId);
  const readMetadata = createMetadataReader(api, user.id, options);
  const differing = await compareUser(api, user, request, options, readMetadata);
  const wanted = differing.length === 0 ? [] : wantedValues(request, differing, sendsMessages);
  if (wanted.length === 0) return { changes: [], kept: [], others: differing, changesName: false };
  const fields = wanted.map(({ field }) => field);
  const stored = await readStoredValues(user, fields, readMetadata);
  const imported = isUnchanged(user) ? undefined : await readImportedValues(api, user.id, callerId, options);
  const possible = [...wanted, ...derivedName(request, user, wanted)].flatMap(({ field, to }): FieldChange | [] => {
    const from = stored(field);
    return isSameValue(from, to) || !isForward(from, to) ? [] : { field, from, to };
  });
  const isKept = ({ field, from }: FieldChange) =>
    imported !== undefined && plainOf(from) !== (imported.get(field) ?? null);
  const isPossible = (name: string) => possible.some(({ field }) => name === field || name.startsWith(`${field}.`));
  const changes = possible.filter((change) => !isKept(change));
  const email = changes.find(({ field }) => field === "email");
  const changesName = email !== undefined && isName(user.userName, email.from) && isName(request.userName, email.to);
  return {
    changes,
    kept: possible.filter(isKept).map(({ field }) => field),
    others: differing.filter((name) => !isPossible(name) && !(changesName && name === "userName")),
    changesName,
  };
}

/** Whether nothing has happened to the user since the import, so that no event has to be read. */
function isUnchanged({ details }: User): boolean {
  const [created, changed] = [details?.creationDate, details?.changeDate];
  return created !== undefined && created.seconds === changed?.seconds && created.nanos === changed.nanos;
}

function isName(userName: string, address: StoredValue): boolean {
  return userNameKey(trimText(userName)) === userNameKey(String(plainOf(address)));
}

interface Wanted {
  readonly field: string;
  readonly to: StoredValue;
}

/** The values of the export for fields that differ, and that an update may change. */
function wantedValues(request: ImportHumanUserRequest, differing: readonly string[], sendsMessages: boolean): Wanted[] {
  const { profile, email, phone, metadata } = request;
  const differs = (field: string) => differing.some((each) => each === field || each.startsWith(`${field}.`));
  const address = { value: trimText(email?.email ?? ""), isVerified: email?.isEmailVerified ?? false };
  const values: Wanted[] = [
    ...PROFILE_FIELDS.map((name) => ({ field: `profile.${name}`, to: toProfileValue(name, profile?.[name]) })),
    ...metadata.map(({ key, value }) => ({ field: `metadata.${key}`, to: encodeBase64(value) })),
    { field: "phone", to: { value: phone?.phone ?? "", isVerified: phone?.isPhoneVerified ?? false } },
    // An address that is not verified gets an email.
    ...(isNoAddress(address.value) || !(sendsMessages || address.isVerified) ? [] : [{ field: "email", to: address }]),
  ];
  return values.filter(({ field }) => differs(field));
}

function toProfileValue(name: (typeof PROFILE_FIELDS)[number], value: string | number | undefined): StoredValue {
  if (typeof value !== "string") return value ?? null;
  const text = trimText(value);
  // As it is stored.
  return name === "preferredLanguage" ? canonicalLanguage(text) : text;
}

/** A display name that Signet has made of the names changes with them. */
function derivedName(request: ImportHumanUserRequest, user: User, wanted: readonly Wanted[]): Wanted[] {
  const profile = user.type.case === "human" ? user.type.value.profile : undefined;
  if (profile === undefined || request.profile?.displayName) return [];
  // As `checkProfile` makes it.
  if (profile.displayName !== cutName(`${profile.firstName} ${profile.lastName}`)) return [];
  const next = (name: "firstName" | "lastName") =>
    plainOf(wanted.find(({ field }) => field === `profile.${name}`)?.to) ?? profile[name];
  return [{ field: "profile.displayName", to: cutName(`${next("firstName")} ${next("lastName")}`) }];
}

/** A verified address or number never becomes one that is not. */
function isForward(from: StoredValue, to: StoredValue): boolean {
  return !isVerified(from) || isVerified(to);
}
