import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { Kysely } from "kysely";
import { type ImportHumanUserResponse, ImportHumanUserResponseSchema } from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { VALID_SECONDS } from "../codes/kinds.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { SealedColumn } from "../crypto/rotate-keys.ts";
import { createId, isId } from "../crypto/secrets.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { userNameKey } from "../fields/user-name.ts";
import { type Issued, issuedToJson, type Outbox } from "../messages/outbox.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { HumanToImport } from "./check-import-human-user.ts";
import { insertHumanUser } from "./insert-human-user.ts";

/** What `importHumanUser` needs. */
export interface ImportHumanUserParts {
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** Where one-time codes of users are stored, encrypted. */
export const USER_SEALED = { table: "users", owner: "org_id", column: "otp_code" } as const satisfies SealedColumn;

/**
 * Creates a human user, or imports one with the hash of an existing password (docs/api.md).
 *
 * The user gets an initialization email if the address is not marked as verified, or if there is neither a password nor a
 * hash; and an SMS for a number that is not marked as verified, if an SMS provider is configured.
 *
 * @throws SignetError IDP_NOT_FOUND, USER_NAME_TAKEN, IDP_LINK_TAKEN, or for a failure of the database.
 */
export async function importHumanUser(
  parts: ImportHumanUserParts,
  imported: HumanToImport,
  call: Call,
): Promise<ImportHumanUserResponse> {
  const { db, outbox, clock } = parts;
  const { human, links, emailVerified, phoneVerified } = imported;
  const malformed = links.flatMap(({ idpId }, number) => (isId(idpId) ? [] : number));
  if (malformed.length > 0) throw idpNotFound(malformed);
  const passwordHash = await toPasswordHash(parts, imported, call);

  const userId = createId();
  const now = clock();
  const passkey = imported.requestsPasskey ? outbox.passkeyRegistration(now) : undefined;
  const issued: Issued[] = [
    ...(emailVerified && passwordHash !== null ? [] : [outbox.initialization(human.email)]),
    ...(human.phone !== null && !phoneVerified && outbox.sendsSms ? [outbox.phoneVerification(human.phone)] : []),
    ...(passkey ? [passkey] : []),
  ];
  const [row] = await insertHumanUser(
    db,
    {
      ...human,
      ...sealOtpCode(parts, userId, imported.otpCode),
      ...issuedToJson(issued),
      ownerId: call.orgId,
      instanceId: call.instanceId,
      aggregateId: userId,
      editorId: call.userId,
      userNameKey: userNameKey(human.userName),
      emailVerified,
      phoneVerified,
      passwordHash,
      links: JSON.stringify(links.map((link, number) => ({ number, ...link }))),
      now,
      events: eventsToJson(toEvents(imported, passwordHash !== null, issued)),
    },
    call,
  );
  if (row === undefined) throw new Error("the statement gave no row");
  if (row.sequence === null) throw idpNotFound(row.unknownLinks);
  outbox.announce(issued);

  const validity = durationFromMs(VALID_SECONDS.passkey * 1_000);
  return create(ImportHumanUserResponseSchema, {
    userId,
    details: toObjectDetails(row, call.orgId),
    ...(passkey && {
      passwordlessRegistration: { link: passkey.link, lifetime: validity, expiration: validity },
    }),
  });
}

async function toPasswordHash(
  { passwords }: ImportHumanUserParts,
  { password, passwordHash }: HumanToImport,
  call: Call,
): Promise<string | null> {
  const hash = password === undefined ? passwordHash : await passwords.hash(password, call.throwIfOver);
  // Hashing takes long: write nothing for a caller who has gone meanwhile.
  call.throwIfOver();
  return hash ?? null;
}

function sealOtpCode({ keyring }: ImportHumanUserParts, userId: string, otpCode: string) {
  const sealed = otpCode ? keyring.seal({ ...USER_SEALED, rowId: userId }, otpCode) : undefined;
  return { otpCode: sealed?.ciphertext ?? null, otpCodeKey: sealed?.keyId ?? null };
}

function toEvents(
  { human, links, emailVerified, phoneVerified }: HumanToImport,
  hasPassword: boolean,
  issued: readonly Issued[],
): NewEvent[] {
  const { email, phone } = human;
  return [
    { type: "user.human.added", payload: { ...human, hasPassword } },
    ...links.map((payload) => ({ type: "user.human.idp.linked", payload }) as const),
    ...(emailVerified ? [{ type: "user.human.email.verified", payload: { email } } as const] : []),
    ...(phone !== null && phoneVerified ? [{ type: "user.human.phone.verified", payload: { phone } } as const] : []),
    ...issued.map(({ code: { event } }) => event),
  ];
}

function idpNotFound(links: readonly number[]): SignetError {
  const fields = links.map((number) => `idps[${number}].configId`).join(", ");
  return new SignetError(
    "IDP_NOT_FOUND",
    `${fields}: no identity provider of the organization or the instance has this id`,
  );
}
