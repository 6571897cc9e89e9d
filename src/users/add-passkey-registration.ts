import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { sql } from "kysely";
import {
  type AddPasswordlessRegistrationRequest,
  type AddPasswordlessRegistrationResponse,
  AddPasswordlessRegistrationResponseSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../call.ts";
import { VALID_SECONDS } from "../codes/kinds.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Creates a link for a human user to register a passkey (docs/api.md). Replaces earlier links.
 *
 * @throws SignetError USER_NOT_FOUND, USER_STATE if the user is deactivated or locked, PERMISSION_DENIED, or for a
 *   failure of the database.
 */
export async function addPasskeyRegistration(
  parts: ChangeUserParts,
  { userId }: AddPasswordlessRegistrationRequest,
  call: Call,
): Promise<AddPasswordlessRegistrationResponse> {
  const now = parts.clock();
  const issued = parts.outbox.passkeyRegistration(now);
  const response = create(AddPasswordlessRegistrationResponseSchema, {
    link: issued.link,
    expiration: durationFromMs(VALID_SECONDS.passkey * 1_000),
  });
  call.keptResponse?.add(response);
  const user = await changeUser(parts, ADD_REGISTRATION, { userId, plans: [toPlan([], issued)], now }, call);
  response.details = toObjectDetails(user, call.orgId);
  return response;
}

const ADD_REGISTRATION = prepareUserChange({
  name: "add_passkey_registration",
  kind: "human",
  columns: {},
  refuse: sql`case when users.state <> 'active' then 'USER_STATE' end`,
  set: () => ({}),
});
