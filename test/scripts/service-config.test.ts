import { readFileSync } from "node:fs";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";

interface ServiceConfig {
  methodConfig: {
    name: { service: string; method?: string }[];
    timeout?: string;
    retryPolicy?: { retryableStatusCodes: string[] };
  }[];
}

const { methodConfig }: ServiceConfig = JSON.parse(readFileSync("examples/clients/service-config.json", "utf8"));

/** The methods that are retried after `code`; `*` for all methods of a service. */
const retriedAfter = (code: string) =>
  methodConfig
    .filter(({ retryPolicy }) => retryPolicy?.retryableStatusCodes.includes(code))
    .flatMap(({ name }) => name.map(({ method = "*" }) => method))
    .sort();

test("every method is retried after ABORTED", () => {
  expect(methodConfig[0]?.name).toEqual(
    [AdminService, ManagementService, AuthService].map(({ typeName: service }) => ({ service })),
  );
  expect(retriedAfter("ABORTED")).toEqual(expect.arrayContaining(["*", "ImportHumanUser"]));
});

test("streams have no deadline", () => {
  const services = [AdminService, ManagementService, AuthService];
  const streams = services.flatMap(({ typeName, methods }) =>
    methods.filter(({ methodKind }) => methodKind !== "unary").map(({ name }) => ({ service: typeName, method: name })),
  );
  const config = methodConfig.filter(({ name }) => name.some(({ method }) => method === "WatchEvents"));
  expect(config).toEqual([{ name: streams }]);
});

test("the methods that docs/api.md calls repeatable are retried after UNAVAILABLE, and no others", () => {
  const [, section = ""] = readFileSync("docs/api.md", "utf8").split("\n## Retries\n");
  const rows = [...section.matchAll(/^\| (`[A-Z].*?) \| (.*) \|$/gm)].map(([, calls = "", outcome = ""]) => ({
    names: [...calls.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    outcome,
  }));
  const repeatable = rows
    .filter(({ outcome }) => /^(changes nothing|fails with USER_NAME_TAKEN)/.test(outcome))
    .flatMap(({ names }) => names);
  const all = [...AdminService.methods, ...ManagementService.methods, ...AuthService.methods].map(({ name }) => name);
  const reading = all.filter((name) => /^(Get|List|Count|Is|Check|BulkCheck)/.test(name));
  expect(repeatable.length).toBeGreaterThan(4);
  expect(reading.length).toBeGreaterThan(10);
  expect(retriedAfter("UNAVAILABLE")).toEqual([...repeatable.filter((name) => all.includes(name)), ...reading].sort());
});
