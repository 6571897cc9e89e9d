import { sql } from "kysely";
import { createDirectory, type Directory } from "../support/scim/directory.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

let service: TestService;
let directory: Directory;
beforeAll(async () => {
  service = await startService("postgres");
  directory = await createDirectory(service, service.orgId);
});
afterAll(() => service?.close());

/** A value that `String` does not accept. */
const NO_TEXT = { toString: 1, valueOf: 1 };
const nest = (depth: number, [open, close]: readonly [string, string]) => open.repeat(depth) + close.repeat(depth);
const filtered = (filter: string) => `/Users?filter=${encodeURIComponent(filter)}`;

test("requests that no directory sends are refused", async () => {
  const { body } = await directory.send("POST", "/Users", { userName: "ada" });
  const patch = (operation: object | string) => {
    const text = typeof operation === "string" ? operation : JSON.stringify(operation);
    return ["PATCH", `/Users/${String(body.id)}`, `{"Operations":[${text}]}`] as const;
  };
  const emails = Array.from({ length: 4_000 }, (_, n) => [`emails[type eq "${n}"].value`, "ada@acme.example"]);
  const requests: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ["GET", "/Users?sortBy=constructor"],
    ["GET", filtered('constructor eq "a"')],
    ["GET", "/constructor"],
    ["GET", "/constructor/a"],
    ["POST", "/Users/.search", { attributes: [NO_TEXT] }],
    ["POST", "/Users/.search", { attributes: Array.from({ length: 101 }, () => "title") }],
    ["POST", "/Users/.search", { count: NO_TEXT }],
    ["POST", "/Users", { userName: "grace", active: NO_TEXT }],
    ["POST", "/Users", new Blob([Buffer.from('{"userName":"José"}', "latin1")])],
    ["POST", "/Users", `{"userName":"grace","active":[${nest(100_000, ["[", "]"])}]}`],
    patch({ op: NO_TEXT, path: "title", value: "a" }),
    patch({ op: "replace", path: "title", value: NO_TEXT }),
    patch({ op: "replace", path: "active", value: NO_TEXT }),
    patch(`{"op":"replace","path":"${ENTERPRISE}","value":{"":${nest(40_000, ['{"":', "}"]).replace("{}", "{")}}}`),
    patch({ op: "add", value: Object.fromEntries(emails) }),
    patch({ op: "add", value: Object.fromEntries(emails.slice(0, 51)) }),
  ];
  for (const [method, path, given] of requests) {
    const { status } = await directory.send(method, path, given);
    const isRefused = status >= 400 && status < 500;
    expect({ method, path, given: JSON.stringify(given)?.slice(0, 100), status, isRefused }).toMatchObject({
      isRefused: true,
    });
  }
});

test("operations of a bulk request that no directory sends fail by themselves", async () => {
  const Operations = [
    { method: NO_TEXT, path: "/Users", data: {} },
    { method: "POST", path: NO_TEXT, data: {} },
    { method: "CONSTRUCTOR", path: "/Users", data: {} },
  ];
  const { body } = await directory.send("POST", "/Bulk", { Operations });
  expect(body).toMatchObject({ Operations: [{ status: "400" }, { status: "400" }, { status: "405" }] });
});

test("requests that end while the token is looked up do not count as open", async () => {
  const headers = { authorization: `Bearer ${directory.token}` };
  // Only as many look-ups run at the same time as there are connections to the database.
  for (let round = 0; round < 12; round++) {
    await service.db.transaction().execute(async (held) => {
      await sql`lock table scim_connections in access exclusive mode`.execute(held);
      const ends = Array.from({ length: 4 }, async () => {
        const signal = AbortSignal.timeout(50);
        await expect(fetch(`${service.origin}/scim/v2/Users`, { headers, signal })).rejects.toThrow();
      });
      await Promise.all(ends);
    });
  }
  expect(await directory.send("GET", "/Users")).toMatchObject({ status: 200 });
});
