import { createCaller } from "../support/clients/callers.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService("embedded");
});
afterAll(() => service.close());

test.each([
  ["a comma", "x", "ada@example.com", "the token is unknown, expired or revoked, or its user is deactivated or locked"],
  [
    "every other mark",
    undefined,
    "a b@example.com",
    "email.email: must have only letters, digits and !#$%&'*+-/=?^_`{|}~ before the @, with single dots between them",
  ],
] as const)("a gRPC client reads the same message as REST returns, with %s", async (_title, token, email, message) => {
  for (const form of ["grpc", "rest"] as const) {
    const caller = createCaller(form, service, token ?? service.adminToken);
    const outcome = await caller.call("ImportHumanUser", {
      userName: "ada",
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email },
    });
    caller.close();
    expect(outcome).toMatchObject({ ok: false, message });
  }
});
