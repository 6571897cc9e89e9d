import { isAllowedIn } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { createId, isId } from "../../crypto/secrets.ts";
import { bytesToText } from "../../database/command-list.ts";
import { emailTaken, phoneTaken, subjectTaken } from "../../database/failure.ts";
import type { RunTogether } from "../../database/run-together.ts";
import { SignetError } from "../../errors.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import { type Changed, toChanged } from "../../events/object-details.ts";
import { isNoAddress } from "../../fields/no-address.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { type Issued, issuedToRows, type Outbox } from "../../messages/outbox.ts";
import type { Hasher } from "../../passwords/hasher.ts";
import { toNewName } from "../found-by-other.ts";
import { createLinkTakenError, createNameTakenError } from "../taken-errors.ts";
import { USER_SEALED } from "../user-sealed.ts";
import type { HumanToImport } from "./check-import-human-user.ts";
import { INSERT_HUMAN_USER, type InsertHumanUser } from "./insert-human-users.ts";

export interface ImportHumanUserParts {
  readonly runTogether: RunTogether;
  readonly keyring: Keyring;
  readonly passwords: Hasher;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

export interface ImportedHuman {
  readonly userId: string;
  /** The link to register a passkey; undefined if it was not requested. */
  readonly passkeyLink: string | undefined;
  /** The link of the initialization email; undefined if it was not requested, or no email is needed. */
  readonly initializationLink: string | undefined;
}

/**
 * Creates a human user, or imports one with the hash of an existing password.
 *
 * The user gets an initialization email if the address is not marked as verified, or if there is neither a password, a
 * hash nor a passkey, and an SMS for a number that is not marked as verified, if an SMS provider is configured. An
 * inactive user gets neither, and a user without an address (`isNoAddress`) no email. By request, no user does, or the
 * link of the email is returned.
 *
 * @throws SignetError IDP_NOT_FOUND, USER_NAME_TAKEN, EMAIL_TAKEN, PHONE_TAKEN, IDP_LINK_TAKEN, EXTERNAL_ID_TAKEN,
 *   SUBJECT_TAKEN, PASSKEY_TAKEN, PERMISSION_DENIED for a subject, or for a failure of the database.
 */
export async function importHumanUser(
  parts: ImportHumanUserParts,
  imported: HumanToImport,
  call: Call,
): Promise<Changed & ImportedHuman> {
  const { runTogether, outbox } = parts;
  throwUnlessMaySetSubject(imported, call);
  checkIdpIds(imported.links);
  const { command, issued, ...links } = await prepareHuman(parts, imported, call);
  const created = { userId: command.aggregateId, ...links };
  const row = await insert(parts, imported, command, call, created);
  if (row === undefined) throw new Error("the statement gave no row");
  if (row.sequence === null) {
    if (row.unknownLinks.length > 0) throw linkedIdpsNotFound(row.unknownLinks);
    if (row.isSubjectTaken) throw subjectTaken();
    if (row.collision === "email") throw emailTaken("email.email");
    if (row.collision === "phone") throw phoneTaken("phone.phone");
    throw await createNameTakenError(runTogether, imported.human.userName, call);
  }
  outbox.announce(issued);
  return { ...created, ...toChanged(row, call.orgId) };
}

/** Who imports a user into an organization. */
type Importer = Pick<Call, "orgId" | "instanceId" | "userId" | "signal" | "throwIfOver" | "span">;

/** The command that inserts a user, and what it issues. Hashes a password. */
export async function prepareHuman(
  parts: Omit<ImportHumanUserParts, "runTogether">,
  imported: HumanToImport,
  importer: Importer,
): Promise<{
  readonly command: InsertHumanUser;
  readonly issued: readonly Issued[];
  readonly passkeyLink: string | undefined;
  readonly initializationLink: string | undefined;
}> {
  const { outbox, clock } = parts;
  const passwordHash = await toPasswordHash(parts, imported, importer);
  const userId = createId();
  const now = clock();
  const passkey = imported.requestsPasskey ? outbox.passkeyRegistration(now) : undefined;
  const needsEmail = !imported.isInactive && !isInitialized(imported, passwordHash);
  const returnsLink = needsEmail && imported.messages === "return-link";
  const initialization = returnsLink ? outbox.initializationLink(imported.human.email, now) : undefined;
  const sent = imported.messages === "send" ? issueMessages(outbox, imported, needsEmail) : [];
  const issued = [initialization, ...sent, passkey].flatMap((each) => each ?? []);
  const command = toCommand(parts, imported, importer, { userId, now, passwordHash, issued });
  return { command, issued, passkeyLink: passkey?.link, initializationLink: initialization?.link };
}

async function insert(
  { runTogether }: ImportHumanUserParts,
  { links }: HumanToImport,
  command: InsertHumanUser,
  call: Call,
  created: ImportedHuman,
) {
  try {
    return await runTogether(INSERT_HUMAN_USER, command, call, created);
  } catch (error) {
    const isTaken = error instanceof SignetError && error.reason === "IDP_LINK_TAKEN";
    throw isTaken ? await createLinkTakenError(runTogether, links, call) : error;
  }
}

/**
 * Applications of the instance know users of all organizations by their subjects alone. Otherwise, a caller with a role in
 * one organization could import a user whom they take for one of another organization, who was removed or is not
 * imported yet.
 */
function throwUnlessMaySetSubject({ subject }: HumanToImport, call: Call): void {
  if (subject === null || isAllowedIn("instance", call, "user.write")) return;
  const message =
    "subject: the caller lacks the permission user.write on the instance, which setting a subject requires";
  throw new SignetError("PERMISSION_DENIED", message, { metadata: { permission: "user.write" } });
}

/** No provider has an id of any other form. */
function checkIdpIds(links: HumanToImport["links"]): void {
  const malformed = links.flatMap(({ idpId }, number) => (isId(idpId) ? [] : number));
  if (malformed.length > 0) throw linkedIdpsNotFound(malformed);
}

async function toPasswordHash(
  { passwords }: Pick<ImportHumanUserParts, "passwords">,
  { password, passwordHash }: HumanToImport,
  importer: Importer,
): Promise<string | null> {
  if (password === undefined) return passwordHash ?? null;
  return await passwords.hash(password, { turn: { kind: "call", orgId: importer.orgId }, ...importer });
}

function issueMessages(
  outbox: Outbox,
  { human, phoneVerified, isInactive }: HumanToImport,
  needsEmail: boolean,
): Issued[] {
  const needsSms = human.phone !== null && !phoneVerified && !isInactive && outbox.sendsSms;
  return [
    ...(needsEmail ? [outbox.initialization(human.email)] : []),
    ...(needsSms && human.phone !== null ? [outbox.phoneVerification(human.phone)] : []),
  ];
}

/** A user without an address has nothing to verify. */
function isInitialized({ human, emailVerified, passkeys }: HumanToImport, passwordHash: string | null): boolean {
  if (isNoAddress(human.email)) return true;
  return emailVerified && (passwordHash !== null || passkeys.length > 0);
}

interface CommandValues {
  readonly userId: string;
  readonly now: Date;
  readonly passwordHash: string | null;
  readonly issued: readonly Issued[];
}

function toCommand(
  { keyring }: Pick<ImportHumanUserParts, "keyring">,
  imported: HumanToImport,
  importer: Importer,
  { userId, now, passwordHash, issued }: CommandValues,
): InsertHumanUser {
  const { human, links, emailVerified, phoneVerified, otpCode, metadata, isInactive } = imported;
  const { subject, recoveryCodes, passkeys } = imported;
  return {
    ...human,
    ...sealOtpCode(keyring, userId, otpCode),
    ...issuedToRows(issued),
    ownerId: importer.orgId,
    instanceId: importer.instanceId,
    aggregateId: userId,
    editorId: importer.userId,
    ...toNewName(human.userName),
    emailVerified,
    emailKey: emailVerified ? userNameKey(human.email) : null,
    needsFreeAddress: false,
    phoneVerified,
    passwordHash,
    initialized: isInitialized(imported, passwordHash),
    links,
    metadata,
    state: isInactive ? "inactive" : "active",
    subject,
    recoveryCodes,
    passkeys,
    now,
    events: toEvents(imported, passwordHash !== null, issued),
  };
}

function sealOtpCode(keyring: Keyring, userId: string, otpCode: string) {
  const sealed = otpCode ? keyring.seal({ ...USER_SEALED, rowId: userId }, otpCode) : undefined;
  return { otpCode: sealed ? bytesToText(sealed.ciphertext) : null, otpCodeKey: sealed?.keyId ?? null };
}

function toEvents(imported: HumanToImport, hasPassword: boolean, issued: readonly Issued[]): NewEvent[] {
  const { human, links, emailVerified, phoneVerified, metadata, isInactive, subject, recoveryCodes, passkeys } =
    imported;
  const { email, phone } = human;
  return [
    { type: "user.human.added", payload: { ...human, hasPassword, ...(subject !== null && { subject }) } },
    ...metadata.map((payload) => ({ type: "user.metadata.set", payload }) as const),
    ...links.map((payload) => ({ type: "user.human.idp.linked", payload }) as const),
    ...(emailVerified ? [{ type: "user.human.email.verified", payload: { email } } as const] : []),
    ...(phone !== null && phoneVerified ? [{ type: "user.human.phone.verified", payload: { phone } } as const] : []),
    ...(recoveryCodes.length > 0 ? [{ type: "user.human.recovery.codes.added", payload: {} } as const] : []),
    ...passkeys.map(
      ({ id: passkeyId }) => ({ type: "user.human.passwordless.registered", payload: { passkeyId } }) as const,
    ),
    ...issued.map(({ code: { event } }) => event),
    ...(isInactive ? [{ type: "user.deactivated", payload: {} } as const] : []),
  ];
}

function linkedIdpsNotFound(links: readonly number[]): SignetError {
  const fields = links.map((number) => `idps[${number}].configId`).join(", ");
  return new SignetError(
    "IDP_NOT_FOUND",
    `${fields}: no identity provider of the organization or the instance has this id`,
    { metadata: { field: fields } },
  );
}
