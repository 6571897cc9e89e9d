import { readdirSync, readFileSync } from "node:fs";
import { createReasons } from "../../scripts/client/create-reasons.ts";

const read = (path: string) => readFileSync(path, "utf8");
const client = JSON.parse(read("clients/typescript/package.json"));
const service = JSON.parse(read("package.json"));

test("the reasons of the client are those of the service", () => {
  expect(read("clients/typescript/src/reasons.ts")).toBe(createReasons());
});

test("the client exports the messages of every file of the contract", () => {
  const files = readdirSync("gen/signet/v1").filter((file) => file.endsWith(".js"));
  const exported = [...read("clients/typescript/src/v1.ts").matchAll(/gen\/signet\/v1\/([^"]+)"/g)].map(
    ([, file]) => file,
  );
  expect(exported).toEqual(files.sort());
});

test("the client has the version of the service, and accepts the versions of packages that it is tested with", () => {
  expect(client.version).toBe(service.version);
  for (const [name, range] of Object.entries(client.dependencies)) {
    expect([name, range]).toEqual([name, `^${service.dependencies[name] ?? service.devDependencies[name]}`]);
  }
});
