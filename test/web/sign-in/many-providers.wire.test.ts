import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, VISITED } from "../../support/browsers/visitor.ts";
import { IDP } from "../../support/clients/requests.ts";
import { createRelyingParty, createRequest } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

let service: TestService;
let person: Person;
let page: Page;
/** By name. */
const ids = new Map<string, string>();
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  const app = await createRelyingParty(service);
  const add = async (method: "AddOIDCIDP" | "AddOrgOIDCIDP", name: string) => {
    const { idpId } = await call(service, method, { ...IDP, name });
    ids.set(name, String(idpId));
  };
  for (let number = 10; number < 65; number += 1) await add("AddOIDCIDP", `Instance ${number}`);
  for (const name of ["Zürich Staff", "Zug Staff"]) await add("AddOrgOIDCIDP", name);
  person = createPerson(service);
  page = await person.open(createRequest(app).url);
});
afterAll(() => service?.close());

/** The names of the providers that a page offers, in their order. */
function offeredBy({ text }: Page): string[] {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  return [...text.matchAll(/name="idp" value="([^"]+)"/g)].map(([, id = ""]) => names.get(id) ?? id);
}

async function search(text: string): Promise<Page> {
  const url = new URL(page.url);
  url.searchParams.set("provider", text);
  return await person.open(url.href);
}

test("the organization's own providers come before the many of the instance", () => {
  const offered = offeredBy(page);
  expect(offered).toHaveLength(50);
  expect(offered.slice(0, 3)).toEqual(["Zug Staff", "Zürich Staff", "Instance 10"]);
});

test("with many providers, people search for theirs by a part of its name", async () => {
  expect(page.text).toContain('role="search"');
  expect(offeredBy(await search("INSTANCE 64"))).toEqual(["Instance 64"]);
  expect(offeredBy(await search("ZÜR"))).toEqual(["Zürich Staff"]);
  const none = await search("nobody");
  expect(offeredBy(none)).toEqual([]);
  expect(none.text).toContain("No service with this name was found.");
});

test("with few providers, there is no search", async () => {
  const few = [...ids].filter(([name]) => name.startsWith("Instance") && name !== "Instance 10");
  for (const [, idpId] of few.slice(0, -4)) await call(service, "DeactivateIDP", { idpId });
  // What is offered is remembered for a moment.
  service.clockOffsetMs += 60_000;
  expect(offeredBy(await search(""))).toHaveLength(7);
  expect((await search("")).text).not.toContain('role="search"');
});
