import { type ImportHumanUserRequest, ImportHumanUserRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { type Problems, SignetError, type Violation } from "../errors.ts";
import { readPhone } from "../fields/phone.ts";
import { toHumanToImport } from "../rpc/messages/user.ts";
import { checkMessage } from "../rpc/rules/check-message.ts";
import type { ImportRules } from "./converting/import-rules.ts";

/** All rules of the service that depend on nothing but the request. */
export const SERVICE_RULES: ImportRules = { readPhone, findProblems };

async function findProblems(request: ImportHumanUserRequest): Promise<readonly Violation[]> {
  try {
    await checkMessage(ImportHumanUserRequestSchema, request, (own: Problems) =>
      // Only the server knows its relying party id, so it refuses passkeys of another one.
      toHumanToImport({ config: { webauthnRpId: request.passkeys[0]?.rpId ?? "" } })(request, own),
    );
    return [];
  } catch (error) {
    if (error instanceof SignetError) return error.violations;
    throw error;
  }
}
