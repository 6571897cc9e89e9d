import { askHttp1, human, IMPORT_PATH, importBody } from "../support/clients/raw-calls.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(() => service?.close());

test.each([
  ["white space around it", (token: string) => ` \tBearer ${token}\t `, 200],
  ["several spaces before the token", (token: string) => `Bearer   ${token}`, 200],
  ["a no-break space behind the token", (token: string) => `Bearer ${token}\xa0`, 401],
  ["a no-break space before the token", (token: string) => `Bearer\xa0${token}`, 401],
  ["text behind the token", (token: string) => `Bearer ${token} more`, 401],
])("an authorization header with %s", async (what, toHeader, status) => {
  const response = await askHttp1(service.port, {
    path: IMPORT_PATH,
    headers: { "content-type": "application/json", authorization: toHeader(service.adminToken) },
    body: importBody("rest", human(what)),
  });
  expect(response.http).toBe(status);
});
