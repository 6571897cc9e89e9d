import type { CallOptions } from "@connectrpc/connect";
import { UpdateHumanPhoneRequest_Message } from "../../../gen/signet/v1/management_pb.js";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import { mapProfile, NO_PROFILE, PROFILE_FIELDS, type ProfileFields } from "../../database/profile.ts";
import { decodeBase64 } from "../../fields/bytes.ts";
import { inOrg } from "../in-org.ts";
import type { MovingApi } from "../moving-api.ts";
import type { Failure } from "../read-failure.ts";
import { sha256 } from "../sha-256.ts";
import { callPatiently, isFailure, type Patience } from "./call-patiently.ts";
import type { FieldChange, StoredValue } from "./stored-values.ts";
import { plainOf } from "./value-text.ts";

export interface ApplyParts {
  readonly api: MovingApi;
  readonly patience: Patience;
  /** Of the run. A call that is repeated, also by a later process, has the same key, unless the user has changed since. */
  readonly key: string;
  readonly sendsMessages: boolean;
}

/**
 * Changes fields of a user, in one call for each of the profile, the metadata, the number and the address.
 *
 * @param changesName Whether a user name that is the address changes with it.
 * @returns Why a call is refused; the ones before it have changed the user.
 * @throws ConfigError if no call can succeed; Stopped.
 */
export async function applyChanges(
  { api, patience, key, sendsMessages }: ApplyParts,
  user: User,
  orgId: string,
  changes: readonly FieldChange[],
  changesName: boolean,
): Promise<Failure | undefined> {
  const { management } = api;
  const { id, details } = user;
  const to = new Map(changes.map((change) => [change.field, change.to]));
  const message = sendsMessages ? UpdateHumanPhoneRequest_Message.UNSPECIFIED : UpdateHumanPhoneRequest_Message.NONE;
  const items = [...to].filter(([field]) => field.startsWith(METADATA));
  const stored = items.flatMap(([field, value]) =>
    value === null ? [] : { key: field.slice(METADATA.length), value: toBytes(value) },
  );
  const removed = items.flatMap(([field, value]) => (value === null ? field.slice(METADATA.length) : []));
  const [phone, email] = [to.get("phone"), to.get("email")];
  const calls: [name: string, content: unknown, call: (options: CallOptions) => Promise<object>][] = [];
  if (PROFILE_FIELDS.some((name) => to.has(`profile.${name}`))) {
    const profile = toProfile(user, to);
    calls.push(["profile", profile, (options) => management.updateHumanProfile({ userId: id, ...profile }, options)]);
  }
  if (stored.length > 0)
    calls.push(["metadata", items, (options) => management.bulkSetUserMetadata({ id, metadata: stored }, options)]);
  if (removed.length > 0)
    calls.push(["removed", removed, (options) => management.bulkRemoveUserMetadata({ id, keys: removed }, options)]);
  if (phone === null) calls.push(["phone", null, (options) => management.removeHumanPhone({ userId: id }, options)]);
  if (typeof phone === "object" && phone !== null) {
    const request = { userId: id, phone: phone.value, isPhoneVerified: phone.isVerified, message };
    calls.push(["phone", request, (options) => management.updateHumanPhone(request, options)]);
  }
  if (typeof email === "object" && email !== null) {
    const request = { userId: id, email: email.value, isEmailVerified: email.isVerified, changeUserName: changesName };
    calls.push(["email", request, (options) => management.updateHumanEmail(request, options)]);
  }
  for (const [name, content, call] of calls) {
    const idempotencyKey = await sha256(`${key} update ${id} ${details?.sequence} ${name} ${JSON.stringify(content)}`);
    const { headers } = inOrg(orgId);
    const response = await callPatiently(patience, () =>
      call({ headers: { ...headers, "idempotency-key": idempotencyKey } }),
    );
    if (isFailure(response)) return response;
  }
  return undefined;
}

const METADATA = "metadata.";

function toBytes(value: StoredValue): Uint8Array {
  return decodeBase64(String(plainOf(value))) ?? new Uint8Array();
}

/** The call replaces the whole profile. */
function toProfile({ type }: User, to: ReadonlyMap<string, StoredValue>) {
  const profile = type.case === "human" ? type.value.profile : undefined;
  return mapProfile<ProfileFields>((name) => {
    const field = `profile.${name}`;
    return (to.has(field) ? plainOf(to.get(field)) : profile?.[name]) ?? NO_PROFILE[name];
  });
}
