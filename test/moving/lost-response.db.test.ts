import { create } from "@bufbuild/protobuf";
import { Code, createClient, type Transport } from "@connectrpc/connect";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import {
  type BulkImportHumanUsersResponse,
  BulkImportHumanUsersResponse_ResultSchema,
  ImportHumanUserRequestSchema,
  ManagementService,
} from "../../gen/signet/v1/management_pb.js";
import { withOperatorAccess } from "../../src/cli/operator-access.ts";
import { ConfigError, readConfig } from "../../src/config.ts";
import { SignetError } from "../../src/errors.ts";
import { EXTERNAL_ID } from "../../src/moving/converting/to-request.ts";
import { createPatience } from "../../src/moving/running/call-patiently.ts";
import { importRecords, type Result } from "../../src/moving/running/import-records.ts";
import { createProcesses } from "../support/servers/process.ts";

const processes = createProcesses();
afterAll(() => processes.close());

type Unary = Transport["unary"];
type Response = Awaited<ReturnType<Unary>>;

/** A transport that changes the first response to BulkImportHumanUsers, or loses it. The call has taken effect. */
function changeFirst(transport: Transport, change: (response: Response) => void): Transport {
  let isFirst = true;
  return {
    ...transport,
    async unary(method, ...rest) {
      called.push(method.name);
      const response = await transport.unary(method, ...rest);
      if (!isFirst || method.name !== "BulkImportHumanUsers") return response;
      isFirst = false;
      change(response as unknown as Response);
      return response;
    },
  };
}

/** As a connection that breaks after a commit does. */
function loseResponse(): never {
  throw new SignetError("UNAVAILABLE", "the database cannot be reached; try again", { retryAfterMs: 1 });
}

let variables: Record<string, string>;
let orgs = 0;
/** The methods that were called. */
let called: string[] = [];

beforeAll(async () => {
  ({ variables } = await processes.createInstallation("lost-response"));
  await (await processes.serve(variables)).stop();
});

/**
 * Imports users into a new organization, one call after the other.
 *
 * @param calls The ids of the users of each call.
 * @returns The outcome of each user by id, for each call, and the error of the last call.
 */
async function importUsers(calls: readonly (readonly string[])[], change: (response: Response) => void) {
  const { stdout } = await processes.runHere(["org", "create", `lost response ${++orgs}`, "--json"], variables);
  const orgId: string = JSON.parse(stdout).id;
  const startedAt = new Date();
  called = [];
  return await withOperatorAccess(readConfig(variables), async ({ transport }) => {
    const changed = changeFirst(transport, change);
    const parts = {
      api: {
        admin: createClient(AdminService, changed),
        management: createClient(ManagementService, changed),
        isServer: false,
      },
      patience: createPatience(4, new AbortController().signal),
      key: "run",
      startedAt,
    };
    const outcomes: Record<string, string>[] = [];
    let failure: unknown;
    for (const ids of calls) {
      const found: Record<string, string> = {};
      outcomes.push(found);
      const records = ids.map((sourceId) => ({
        ...{ n: 0, sourceId, maybeSent: false },
        request: create(ImportHumanUserRequestSchema, {
          ...{ userName: sourceId, profile: { firstName: "Ada", lastName: "Lovelace" } },
          email: { email: `${sourceId}@example.com`, isEmailVerified: true },
          metadata: [{ key: EXTERNAL_ID, value: new TextEncoder().encode(sourceId) }],
        }),
        onResult: ({ outcome }: Result) => {
          found[sourceId] = outcome;
        },
      }));
      await importRecords(parts, orgId, records).catch((error: unknown) => {
        failure = error;
      });
    }
    return { outcomes, failure };
  });
}

test("a user whose response was lost on the database is imported, not one who existed", async () => {
  const { outcomes, failure } = await importUsers([["a", "b"], ["a"]], loseResponse);
  // The second call is for a user who was there before the request was sent.
  expect([outcomes, failure]).toEqual([[{ a: "imported", b: "imported" }, { a: "same" }], undefined]);
});

test("users who were imported by a call that failed are imported, not the same", async () => {
  const { outcomes, failure } = await importUsers([["a", "b"]], () => {
    throw new SignetError("INTERNAL", "internal error");
  });
  expect([outcomes, failure]).toEqual([[{ a: "imported", b: "imported" }], undefined]);
});

test("users who were imported are reported, also if another one shows that nobody else can be", async () => {
  const { outcomes, failure } = await importUsers([["a", "b", "c"]], ({ message }) => {
    const { results } = message as BulkImportHumanUsersResponse;
    results[1] = create(BulkImportHumanUsersResponse_ResultSchema, {
      result: { case: "error", value: { code: Code.PermissionDenied, reason: "PERMISSION_DENIED", message: "denied" } },
    });
  });
  expect(outcomes).toEqual([{ a: "imported", c: "imported" }]);
  expect(failure).toEqual(new ConfigError("denied (PERMISSION_DENIED)"));
});

test("users who exist are looked up together", async () => {
  const ids = ["a", "b", "c"];
  const { outcomes } = await importUsers([ids, [...ids, "d"]], () => {});
  expect(outcomes[1]).toEqual({ a: "same", b: "same", c: "same", d: "imported" });
  const importing = ["BulkImportHumanUsers", "BulkImportHumanUsers"];
  expect(called).toEqual([...importing, "BulkCheckHumanUsers", "ListUsers"]);
});
