import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { Kysely } from "kysely";
import {
  type ImportHumanUserRequest,
  type ImportHumanUserResponse,
  ImportHumanUserResponseSchema,
  type ImportHumanUserRequest_Profile as Profile,
} from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring, Sealed } from "../crypto/keyring.ts";
import { createId, isId } from "../crypto/secrets.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { canonicalLanguage } from "../fields/language.ts";
import { userNameKey } from "../fields/user-name.ts";
import { type Issued, issuedToJson, type Outbox, VALID_SECONDS } from "../messages/outbox.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { checkImportHumanUser } from "./check-import-human-user.ts";
import { prepareInsertHumanUser } from "./insert-human-user.ts";

/** What the operation needs around it. */
export interface ImportHumanUserContext {
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/**
 * Creates a human user, or imports one with the hash of an existing password (docs/api.md).
 *
 * The user gets an initialization email exactly when the address is not marked as verified or there is neither a
 * password nor a hash, and an SMS for a number that is not marked as verified, provided an SMS provider is configured.
 *
 * The function throws SignetError: INVALID_ARGUMENT, IDP_NOT_FOUND, USER_NAME_TAKEN, IDP_LINK_TAKEN, or what the
 * database gives.
 */
export function createImportHumanUser({ db, keyring, passwords, outbox, clock }: ImportHumanUserContext) {
  const insertHumanUser = prepareInsertHumanUser(db);

  return async (request: ImportHumanUserRequest, call: Call): Promise<ImportHumanUserResponse> => {
    const { userName, profile, email, phone } = checkImportHumanUser(request);
    const foreign = request.idps.flatMap(({ configId }, number) => (isId(configId) ? [] : number));
    if (foreign.length > 0) throw idpNotFound(foreign);
    const passwordHash =
      request.password === undefined
        ? request.hashedPassword?.value
        : await passwords.hash(request.password, call.throwIfOver);
    // Hashing takes long: nothing is written for a caller who has gone meanwhile.
    call.throwIfOver();

    const userId = createId();
    const now = clock();
    const links = request.idps.map(({ configId, externalUserId, displayName }) => ({
      idpId: configId.toLowerCase(),
      externalUserId,
      displayName,
    }));
    const otpCode = request.otpCode
      ? keyring.seal({ table: "users", column: "otp_code", rowId: userId }, request.otpCode)
      : undefined;
    const passkey = request.requestPasswordlessRegistration ? outbox.passkeyRegistration(now) : undefined;
    const issued: Issued[] = [
      ...(email.isEmailVerified && passwordHash !== undefined ? [] : [outbox.initialization(email.email)]),
      ...(phone && !phone.verified && outbox.sendsSms ? [outbox.phoneVerification(phone.e164)] : []),
      ...(passkey ? [passkey] : []),
    ];
    const human = {
      userName,
      firstName: profile.firstName,
      lastName: profile.lastName,
      nickName: profile.nickName || null,
      displayName: profile.displayName || defaultDisplayName(profile),
      preferredLanguage: profile.preferredLanguage ? canonicalLanguage(profile.preferredLanguage) : null,
      gender: profile.gender,
      email: email.email,
      phone: phone?.e164 ?? null,
      passwordChangeRequired: request.passwordChangeRequired,
    };
    const events: NewEvent[] = [
      { type: "user.human.added", payload: { ...human, hasPassword: passwordHash !== undefined } },
      ...links.map((payload) => ({ type: "user.human.idp.linked", payload }) as const),
      ...(email.isEmailVerified
        ? [{ type: "user.human.email.verified", payload: { email: email.email } } as const]
        : []),
      ...(phone?.verified ? [{ type: "user.human.phone.verified", payload: { phone: phone.e164 } } as const] : []),
      ...issued.map(({ event }) => event),
    ];

    const [row] = await insertHumanUser({
      ...human,
      ...sealedToColumns(otpCode),
      ...issuedToJson(issued),
      ownerId: call.orgId,
      orgId: call.orgId,
      instanceId: call.instanceId,
      aggregateId: userId,
      userId,
      editorId: call.userId,
      userNameKey: userNameKey(userName),
      emailVerified: email.isEmailVerified,
      phoneVerified: phone?.verified ?? false,
      passwordHash: passwordHash ?? null,
      links: JSON.stringify(links.map((link, number) => ({ number, ...link }))),
      now,
      events: eventsToJson(events),
    });
    if (row === undefined) throw new Error("the statement gave no row");
    if (row.sequence === null) throw idpNotFound(row.unknownLinks);
    outbox.announce(issued);

    return create(ImportHumanUserResponseSchema, {
      userId,
      details: toObjectDetails(row, call.orgId),
      ...(passkey && {
        passwordlessRegistration: {
          link: passkey.link,
          lifetime: durationFromMs(VALID_SECONDS.passkey * 1_000),
          expiration: durationFromMs(VALID_SECONDS.passkey * 1_000),
        },
      }),
    });
  };
}

/** docs/api.md: a display name has at most 200 characters. */
function defaultDisplayName({ firstName, lastName }: Profile): string {
  return [...`${firstName} ${lastName}`].slice(0, 200).join("");
}

function sealedToColumns(sealed: Sealed | undefined) {
  return { otpCode: sealed?.ciphertext ?? null, otpCodeKey: sealed?.keyId ?? null };
}

function idpNotFound(links: readonly number[]): SignetError {
  const fields = links.map((number) => `idps[${number}].configId`).join(", ");
  return new SignetError(
    "IDP_NOT_FOUND",
    `${fields}: no identity provider of the organization or the instance has this id`,
  );
}
