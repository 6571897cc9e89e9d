import type { JsonObject } from "@bufbuild/protobuf";
import { compareSync } from "bcryptjs";
import { mapProfile } from "../../src/database/profile.ts";
import type { Outcome } from "../support/clients/callers.ts";
import { readStoredEffects, type StoredEffects, sha256 } from "../support/operations/stored-effects.ts";
import type { TestService } from "../support/servers/service.ts";
import type { STORED_HUMAN } from "./import/import-human-user.cases.ts";

export type Link = { idpId: string; externalUserId: string; displayName: string };

/**
 * Expects a successful response and everything it stored: the row, the events with their payloads, codes and messages.
 */
export async function expectHuman(
  service: TestService,
  outcome: Outcome,
  { userName, ...stored }: { userName: string } & typeof STORED_HUMAN,
  {
    orgId = service.orgId,
    otpCode,
    links = [],
    effects,
    passkey = false,
  }: { orgId?: string; otpCode?: string; links?: Link[]; effects?: StoredEffects; passkey?: boolean } = {},
): Promise<string> {
  // test/users/import/import-warnings.wire.test.ts is about the warnings.
  const withoutWarnings = outcome.ok ? { ...outcome, message: { ...outcome.message, warnings: undefined } } : outcome;
  expect(withoutWarnings).toEqual({
    ok: true,
    headers: expect.not.objectContaining({ deprecation: expect.anything() }),
    message: {
      userId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      details: {
        sequence: `${stored.sequence}`,
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: orgId,
      },
      ...(passkey && {
        passwordlessRegistration: { link: expect.any(String), lifetime: "3600s", expiration: "3600s" },
      }),
    },
  });
  const { userId, at, message } = successOf(outcome);
  expect((message.details as JsonObject).changeDate).toBe((message.details as JsonObject).creationDate);

  const row = await service.db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
  const { otp_code, otp_code_key, password_hash, user_name_key, ...plain } = row;
  const { password_hash: expectedHash, ...expected } = stored;
  expect(plain).toEqual({
    org_id: orgId,
    id: userId,
    user_name: userName,
    created_at: at,
    changed_at: at,
    state: "active",
    initialized: stored.email_verified && expectedHash !== null,
    password_changed_at: expectedHash === null ? null : at,
    otp_last_step: null,
    description: null,
    last_signed_in_at: null,
    passkey_declined_at: null,
    sessions_ended_sequence: 0n,
    ...expected,
  });
  expect(user_name_key).toBe(userName.normalize("NFC").toLowerCase());
  expectPassword(password_hash, expectedHash);
  const place = { table: "users", column: "otp_code", rowId: userId };
  const opened = otp_code && service.keyring.open(place, { keyId: otp_code_key ?? "", ciphertext: otp_code });
  expect(opened).toBe(otpCode ?? null);

  const { events, codes, messages, payloads } = await readStoredEffects(service, { userId, at });
  expect({ events, codes, messages }).toEqual(
    effects ?? {
      events: [
        "user.human.added",
        ...links.map(() => "user.human.idp.linked"),
        "user.human.email.verified",
        ...(stored.phone_verified ? ["user.human.phone.verified"] : []),
      ],
      codes: [],
      messages: [],
    },
  );
  const added = {
    userName,
    ...mapProfile<object>((_, { column }) => stored[column as keyof typeof stored]),
    email: stored.email,
    phone: stored.phone,
    hasPassword: stored.password_hash !== null,
    passwordChangeRequired: stored.password_change_required,
    ...(stored.second_factor_required && { secondFactorRequired: true }),
  };
  const payloadsByType: Record<string, unknown> = {
    "user.human.email.verified": { email: stored.email },
    "user.human.phone.verified": { phone: stored.phone },
  };
  const requested = { codeId: expect.any(String) };
  expect(payloads).toEqual([
    added,
    ...links,
    ...events.slice(1 + links.length).map((type) => payloadsByType[type] ?? requested),
  ]);
  if (passkey) await expectPasskeyLink(service, message, payloads.at(-1));
  return userId;
}

async function expectPasskeyLink(service: TestService, message: JsonObject, payload: unknown): Promise<void> {
  const { link } = message.passwordlessRegistration as { link: string };
  const [url, code = ""] = link.split("?code=");
  expect(url).toBe(`${service.config.publicUrl}/ui/passkey`);
  const [id = "", secret = ""] = code.split(".");
  expect({ codeId: id }).toEqual(payload);
  expect(secret).toMatch(/^[\w-]{22}$/);
  const row = await service.db.selectFrom("codes").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ kind: "passkey", user_id: message.userId, secret_hash: sha256(secret) });
}

/** An imported hash is stored unchanged; a plain password is stored as a bcrypt hash. */
function expectPassword(stored: string | null, expected: unknown): void {
  const password = (expected as { bcryptOf?: string } | null)?.bcryptOf;
  if (password === undefined) {
    expect(stored).toBe(expected);
  } else {
    expect(stored).toMatch(/^\$2b\$04\$/);
    expect(compareSync(password, stored ?? "")).toBe(true);
  }
}

export function successOf(outcome: Outcome): { userId: string; at: Date; message: JsonObject } {
  if (!outcome.ok) throw new Error(`the call failed: ${outcome.message}`);
  const { userId, details } = outcome.message as { userId: string; details: { creationDate: string } };
  return { userId, at: new Date(details.creationDate), message: outcome.message };
}
