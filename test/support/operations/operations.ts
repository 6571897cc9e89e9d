import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { ImportHumanUserRequestSchema, UpdateHumanPhoneRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import type { Principal } from "../../../src/actor.ts";
import type { Call } from "../../../src/call.ts";
import { createKeyring, type Keyring } from "../../../src/crypto/keyring.ts";
import type { RunTogether } from "../../../src/database/run-together.ts";
import type { ObjectDetails } from "../../../src/events/object-details.ts";
import { createOutbox } from "../../../src/messages/outbox.ts";
import { createHasher, type Hasher } from "../../../src/passwords/hasher.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "../../../src/users/change/update-human-phone.ts";
import { checkImportHumanUser } from "../../../src/users/import/check-import-human-user.ts";
import { importHumanUser } from "../../../src/users/import/import-human-user.ts";
import { HUMAN } from "../clients/requests.ts";
import { createPrincipalCall } from "./principal.ts";

/** The differences from `HUMAN`. */
export interface ImportFields {
  readonly userName: string;
  readonly email?: { readonly email: string; readonly isEmailVerified: boolean };
  readonly phone?: { readonly phone: string; readonly isPhoneVerified: boolean };
  readonly hashedPassword?: { readonly value: string } | undefined;
  readonly otpCode?: string;
  readonly requestPasswordlessRegistration?: boolean;
  readonly subject?: string;
  readonly recoveryCodes?: string[];
  readonly idps?: readonly { readonly configId: string; readonly externalUserId: string }[];
}

export interface OperationsOptions {
  readonly runTogether: RunTogether;
  readonly userId: string;
  readonly instanceId: string;
  readonly orgId: string;
  readonly keyring?: Keyring;
  readonly clock?: () => Date;
  readonly sendsSms?: boolean;
  /** By default, the operations have a separate hasher, which `close` stops. */
  readonly passwords?: Hasher;
}

/** The user operations without a port, run by a caller with all permissions. */
export function createOperations({
  runTogether,
  userId,
  instanceId,
  orgId,
  keyring = createKeyring([randomBytes(32)]),
  clock = () => new Date(),
  sendsSms = false,
  passwords = createHasher({ cost: 4, threads: 1 }),
}: OperationsOptions) {
  const publicUrl = "http://localhost";
  const outbox = createOutbox({ keyring, publicUrl, sendsEmail: false, sendsSms, onQueued() {} });
  const parts = { runTogether, keyring, passwords, outbox, clock };
  const call = createPrincipalCall({ userId, instanceId, orgId });
  const problems = {
    add(field: string, description: string) {
      throw new Error(`${field}: ${description}`);
    },
  };
  return {
    close: () => passwords.close(),
    async importHuman(fields: ImportFields, changes: Partial<Call<Principal>> = {}) {
      const request = create(ImportHumanUserRequestSchema, { ...HUMAN, ...fields, idps: [...(fields.idps ?? [])] });
      return importHumanUser(parts, checkImportHumanUser(request, problems), { ...call, ...changes });
    },
    async setPhone(
      id: string,
      phone: string,
      isPhoneVerified = false,
      changes: Partial<Call<Principal>> = {},
    ): Promise<ObjectDetails> {
      const request = create(UpdateHumanPhoneRequestSchema, { userId: id, phone, isPhoneVerified });
      const checked = checkUpdateHumanPhone(request, problems);
      const { details } = await updateHumanPhone(parts, checked, { ...call, ...changes });
      return details;
    },
  };
}
