import { createPerson } from "../../support/browsers/person.ts";
import { call, eventsAfter, userOf, VISITED } from "../../support/browsers/visitor.ts";
import {
  type OtherProviders,
  type RegisteredIdp,
  registerIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { newSub } from "../sign-in/idp-scene.ts";
import {
  ACCOUNT,
  dropPassword,
  formOf,
  newPerson,
  noticeOf,
  ONLY_WAY,
  PASSWORD,
  STALE,
  signIn,
  storeFakePasskey,
} from "./account-scene.ts";

const MINUTE = 60_000;

let providers: OtherProviders;
let service: TestService;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  service.stopClock();
  service.secret(PASSWORD);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

const passkeysOf = (userId: string) =>
  service.db.selectFrom("passkeys").select(["id", "name"]).where("user_id", "=", userId).orderBy("id").execute();
const removal = (id: string) => `${ACCOUNT}/passkeys/remove?id=${id}`;

describe("passkeys", () => {
  test("are added on a page of the account, with a link that ends with the sessions", async () => {
    const { userId, person, page } = await newPerson(service);
    const added = await person.submit(formOf(page, `${ACCOUNT}/passkeys`), {});
    expect([added.url.pathname, added.title]).toEqual([`${ACCOUNT}/passkeys/add`, "Set up a passkey"]);
    const code = added.url.searchParams.get("code") ?? "";
    expect(added.text).toContain(`data-code="${code}"`);
    expect(noticeOf(await person.submit(formOf(added, `${ACCOUNT}/passkeys/add`), {}))).toBe("The passkey was added.");
    await call(service, "SetHumanPassword", { userId, password: PASSWORD });
    const options = await fetch(`${service.origin}/ui/passkey/options`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: service.config.publicUrl },
      body: JSON.stringify({ code }),
    });
    expect(options.status).toBe(410);
  });

  test("are listed with their names and uses, and renamed", async () => {
    const { userId, person } = await newPerson(service);
    await storeFakePasskey(service, userId, "listed", {
      name: "<Phone>",
      created_at: new Date("2026-01-02T00:00:00Z"),
    });
    await service.db
      .updateTable("passkeys")
      .set({ last_used_at: new Date("2026-02-03T00:00:00Z") })
      .where("id", "=", "listed")
      .execute();
    const page = await person.open(ACCOUNT);
    expect(page.text).toContain("&lt;Phone&gt;<br>");
    expect(page.text).toContain("Added on Jan 2, 2026, last used on Feb 3, 2026");
    const { sequence } = await userOf(service, userId);
    const form = await person.open(`${ACCOUNT}/passkeys/rename?id=listed`);
    for (const name of ["", "x".repeat(201), "\u200b"]) {
      expect((await person.submit(form, { name })).alert).toBe("Please enter a name with up to 200 characters.");
    }
    expect(noticeOf(await person.submit(form, { name: " Laptop " }))).toBe("The passkey was renamed.");
    expect(await passkeysOf(userId)).toEqual([{ id: "listed", name: "Laptop" }]);
    expect(await eventsAfter(service, userId, sequence)).toEqual([
      ["user.human.passwordless.renamed", { passkeyId: "listed", name: "Laptop" }],
    ]);
  });

  test("are removed after a question, which ends the other sessions", async () => {
    const { userId, userName, person } = await newPerson(service);
    await storeFakePasskey(service, userId, "removed", { name: "Old phone" });
    const { person: other } = await signIn(service, userName);
    const form = await person.open(removal("removed"));
    expect([form.title, form.text.includes("Old phone")]).toEqual(["Remove the passkey?", true]);
    const done = await person.submit(form, {});
    expect(noticeOf(done)).toBe("The passkey was removed. You have been signed out everywhere else.");
    expect(await passkeysOf(userId)).toEqual([]);
    expect((await other.open(ACCOUNT)).title).toBe("Sign in to Signet");
    // The same form in another tab.
    expect(await person.submit(form, {})).toMatchObject({ status: 422, alert: STALE });
  });

  test("of another user are neither shown, renamed nor removed", async () => {
    const { userId: otherId } = await newPerson(service);
    await storeFakePasskey(service, otherId, "of-another", { name: "Secret name" });
    const { userId, person } = await newPerson(service);
    await storeFakePasskey(service, userId, "own");
    for (const path of ["remove", "rename"]) {
      const own = await person.open(`${ACCOUNT}/passkeys/${path}?id=own`);
      const text = own.text.replaceAll("?id=own", "?id=of-another");
      const refused = await person.submit({ ...own, text }, { name: "Mine" });
      expect(refused).toMatchObject({ status: 422, alert: STALE });
      const opened = await person.open(`${ACCOUNT}/passkeys/${path}?id=of-another`);
      expect([opened.status, opened.text.includes("Secret name")]).toEqual([422, false]);
    }
    expect(await passkeysOf(otherId)).toEqual([{ id: "of-another", name: "Secret name" }]);
  });

  test("cannot be added or removed long after the sign-in, which returns to the page", async () => {
    const { userId, userName, person, page } = await newPerson(service);
    await storeFakePasskey(service, userId, "kept");
    const form = await person.open(removal("kept"));
    service.clockOffsetMs += 15 * MINUTE;
    const asked = await person.submit(form, {});
    expect(asked.title).toBe("Sign in to Signet");
    expect((await person.submit(formOf(page, `${ACCOUNT}/passkeys`), {})).title).toBe("Sign in to Signet");
    const again = await person.open(removal("kept"));
    service.clockOffsetMs = 0;
    const back = await person.submit(again, { username: userName, password: PASSWORD });
    expect([back.title, back.url.search]).toEqual(["Remove the passkey?", "?id=kept"]);
    expect(await passkeysOf(userId)).toHaveLength(1);
  });

  test("200 of them are all listed, and can all be removed but the last one", async () => {
    const { userId, person } = await newPerson(service);
    for (let count = 0; count < 200; count++) await storeFakePasskey(service, userId, `many-${count}`);
    const page = await person.open(ACCOUNT);
    expect(page.text.match(/passkeys\/remove\?id=/g)).toHaveLength(200);
    await service.db
      .deleteFrom("passkeys")
      .where("user_id", "=", userId)
      .where("id", "not in", ["many-0", "many-1"])
      .execute();
    await dropPassword(service, userId);
    expect(noticeOf(await person.submit(await person.open(removal("many-0")), {}))).toContain(
      "The passkey was removed.",
    );
    expect(await person.submit(await person.open(removal("many-1")), {})).toMatchObject({
      status: 422,
      alert: ONLY_WAY,
    });
  });
});

describe("the last way to sign in", () => {
  test("stays when the last two are removed at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const { userId, person } = await newPerson(service);
      const ids = [`race-${round}-a`, `race-${round}-b`];
      for (const id of ids) await storeFakePasskey(service, userId, id);
      await dropPassword(service, userId);
      const forms = await Promise.all(ids.map((id) => person.open(removal(id))));
      const pages = await Promise.all(forms.map((form) => person.submit(form, {})));
      expect(pages.map(({ alert }) => alert).sort()).toEqual(["", ONLY_WAY]);
      expect(await passkeysOf(userId)).toHaveLength(1);
    }
  });

  test("is not the link to a deactivated provider", async () => {
    const orgId = await service.createOrg("Passkeys only");
    const org = { "x-service-orgid": orgId };
    const idp = await registerIdp(service, providers, { orgId });
    const { userId, person } = await newOrgPerson(orgId, idp);
    const passkey = { org_id: orgId };
    await storeFakePasskey(service, userId, "only", passkey);
    await call(service, "DeactivateOrgIDP", { idpId: idp.id }, org);
    await dropPassword(service, userId);
    const form = await person.open(removal("only"));
    expect(await person.submit(form, {})).toMatchObject({ status: 422, alert: ONLY_WAY });
    await call(service, "ReactivateOrgIDP", { idpId: idp.id }, org);
    expect(noticeOf(await person.submit(form, {}))).toContain("The passkey was removed.");
  });
});

/** A user of another organization, who has signed in with a password and has a link. */
async function newOrgPerson(orgId: string, idp: RegisteredIdp) {
  const userName = "org-person";
  const { userId } = await call(
    service,
    "ImportHumanUser",
    {
      userName,
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: "ada@example.com", isEmailVerified: true },
      password: PASSWORD,
      idps: [{ configId: idp.id, externalUserId: newSub(), displayName: "" }],
    },
    { "x-service-orgid": orgId },
  );
  const person = createPerson(service);
  await person.submit(await person.open(`${ACCOUNT}?org=${orgId}`), { username: userName, password: PASSWORD });
  return { userId: String(userId), person };
}
