import { create } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { ImportHumanUserRequestSchema, ManagementService } from "../../gen/signet/v1/management_pb.js";
import { withOperatorAccess } from "../../src/cli/operator-access.ts";
import { readConfig } from "../../src/config.ts";
import { SignetError } from "../../src/errors.ts";
import { EXTERNAL_ID } from "../../src/moving/converting/to-request.ts";
import { createPatience } from "../../src/moving/running/call-patiently.ts";
import { importRecords } from "../../src/moving/running/import-records.ts";
import { createPace } from "../../src/moving/running/pace.ts";
import { createProcesses } from "../support/servers/process.ts";

const processes = createProcesses();
afterAll(() => processes.close());

/** A transport that loses the first response to BulkImportHumanUsers, as a connection that breaks after a commit does. */
function loseResponse(transport: Transport): Transport {
  let isLost = false;
  return {
    ...transport,
    async unary(method, ...rest) {
      const response = await transport.unary(method, ...rest);
      if (isLost || method.name !== "BulkImportHumanUsers") return response;
      isLost = true;
      throw new SignetError("UNAVAILABLE", "the database cannot be reached; try again", { retryAfterMs: 1 });
    },
  };
}

test("a user whose response was lost on the database is imported, not one who existed", async () => {
  const { variables } = await processes.createInstallation("lost-response");
  await (await processes.serve(variables)).stop();
  const { code, stdout } = await processes.runHere(["org", "create", "lost response", "--json"], variables);
  expect(code).toBe(0);
  const orgId: string = JSON.parse(stdout).id;
  const request = create(ImportHumanUserRequestSchema, {
    ...{ userName: "ada", profile: { firstName: "Ada", lastName: "Lovelace" } },
    email: { email: "ada@example.com", isEmailVerified: true },
    metadata: [{ key: EXTERNAL_ID, value: new TextEncoder().encode("a") }],
  });
  const startedAt = new Date();
  await withOperatorAccess(readConfig(variables), async ({ transport }) => {
    const lossy = loseResponse(transport);
    const parts = {
      api: {
        admin: createClient(AdminService, lossy),
        management: createClient(ManagementService, lossy),
        isServer: false,
      },
      patience: createPatience(createPace(4), new AbortController().signal),
      key: "run",
      startedAt,
    };
    const record = { sourceId: "a", request, maybeSent: false };
    const imported = { outcome: "imported", userId: expect.any(String), orgId };
    expect(await importRecords(parts, orgId, [record])).toEqual([imported]);
    // A user who was there before the request was sent.
    expect(await importRecords(parts, orgId, [record])).toMatchObject([{ outcome: "same" }]);
  });
});
