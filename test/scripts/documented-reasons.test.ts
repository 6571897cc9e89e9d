import { readFileSync } from "node:fs";
import type { Reason } from "../../src/errors.ts";
import { isInstancePermission } from "../../src/roles.ts";
import { createRpcs, type RpcParts } from "../../src/rpcs.ts";
import { findThrownReasons } from "./thrown-reasons.ts";

/**
 * - toSignetError: converts violations of constraints, which any statement may cause; see `CONSTRAINTS`
 * - toRefusal: throws what the statement of a change of a user returns, which is in the change itself
 * - refusalOf: refuses messages that are sent too often, if the change has a `limitedKind`
 * - holdOwner: does not find an organization that is removed during the call
 * - endOne, ignoreMissing: end a credential, unless it is gone
 */
const NOT_FOLLOWED = ["toSignetError", "toRefusal", "refusalOf", "holdOwner", "endOne", "ignoreMissing"];

/** Reasons that the functions of these calls give only to other callers. */
const NOT_THROWN: Readonly<Record<string, Reason>> = {
  // For organizations.
  AdminService_UpdateLabelPolicy: "POLICY_NOT_FOUND",
  AdminService_UploadLabelPolicyImage: "POLICY_NOT_FOUND",
  // For links in emails.
  ManagementService_ResendHumanPhoneVerification: "MAIL_SERVER_MISSING",
  // For users on their account page.
  ManagementService_RemoveHumanPasswordless: "ONLY_WAY_IN",
  ManagementService_RemoveHumanLinkedIDP: "ONLY_WAY_IN",
};

/** Reasons that any call can give before or after its operation, and those of the field rules. */
const OF_ANY: readonly Reason[] = [
  ...(["TOKEN_MISSING", "TOKEN_INVALID", "PERMISSION_DENIED", "ORG_NOT_FOUND", "INVALID_ARGUMENT"] as const),
  ...(["TOO_MANY_REQUESTS", "BODY_TOO_LARGE", "CONTENT_TYPE_UNSUPPORTED", "IDEMPOTENCY_KEY_REUSED"] as const),
  ...(["ABORTED", "UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL"] as const),
];

/** Reasons of constraints of tables: the code does not say which calls violate them. */
const OF_CONSTRAINTS = [
  ...readFileSync("src/database/failure.ts", "utf8").matchAll(/(?:reason: |violation\(\s*)"(\w+)"/g),
].map(([, reason = ""]) => reason);

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

/** The reasons that the OpenAPI document lists for each call, which are those of the comments in the proto. */
const DOCUMENTED = new Map(
  Object.values(JSON.parse(readFileSync("gen/openapi.json", "utf8")).paths as Record<string, Record<string, Operation>>)
    .flatMap((path) => Object.values(path))
    .filter(({ operationId }) => operationId !== undefined)
    .map(({ operationId, responses }) => [
      operationId,
      new Set(
        Object.values(responses).flatMap(({ description = "" }) => description.match(/(?<=`)[A-Z_]+(?=`)/g) ?? []),
      ),
    ]),
);

const THROWN = findThrownReasons(NOT_FOLLOWED);
const CALLS = createRpcs({} as RpcParts)
  .map(({ desc, permission }) => ({
    id: `${desc.parent.name}_${desc.name}`,
    thrown: THROWN.get(`${desc.parent.name}.${desc.localName}`),
    permission,
  }))
  .filter(({ id }) => id !== "ManagementService_BulkImportHumanUsers");

test("the code of every call is found", () => {
  expect(CALLS.filter(({ thrown }) => thrown === undefined)).toEqual([]);
  expect(CALLS.length).toBeGreaterThan(200);
  expect(new Set(CALLS.flatMap(({ thrown }) => [...(thrown ?? [])])).size).toBeGreaterThan(50);
});

test("the comment of a call lists each reason that its code can give", () => {
  const missing = CALLS.flatMap(({ id, thrown = new Set(), permission }) => {
    const ofOrg: Reason[] = isInstancePermission(permission) ? [] : ["ORG_NOT_FOUND"];
    const reasons = [...thrown, ...ofOrg].filter((reason) => reason !== NOT_THROWN[id]);
    return reasons.filter((reason) => !DOCUMENTED.get(id)?.has(reason)).map((reason) => `${id}: ${reason}`);
  });
  expect(missing).toEqual([]);
});

test("the comment of a call lists no reason that its code cannot give", () => {
  const others: readonly string[] = [...OF_ANY, ...OF_CONSTRAINTS];
  const needless = CALLS.flatMap(({ id, thrown }) =>
    [...(DOCUMENTED.get(id) ?? [])]
      .filter((reason) => !thrown?.has(reason as Reason) && !others.includes(reason))
      .map((reason) => `${id}: ${reason}`),
  );
  expect(needless).toEqual([]);
});
