import { sql } from "kysely";
import pg from "pg";
import { findSignInUser } from "../../../src/sign-in/find-sign-in-user.ts";
import { recordIdpCheck } from "../../../src/sign-in/provider/link-external-user.ts";
import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import {
  requestOptionsOf,
  siteOf,
  storePasskey,
  submitPasskey,
  toUserHandle,
} from "../../support/browsers/passkeys.ts";
import { createPerson } from "../../support/browsers/person.ts";
import { call, importAda, VISITED } from "../../support/browsers/visitor.ts";
import { IDP } from "../../support/clients/requests.ts";
import { environment } from "../../support/databases/database.ts";
import { untilBlocked } from "../../support/databases/locks.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const VERIFIED = { email: { email: "ada@example.com", isEmailVerified: true } };

let service: TestService;
let app: RelyingParty;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  app = await createRelyingParty(service);
});
afterAll(() => service?.close());

test("a provider's confirmation does not count if the sessions have ended since the link was found", async () => {
  const id = await importAda(service, VERIFIED);
  const linked = await findSignInUser(service, id);
  if (linked === undefined) throw new Error("there is no such user");
  const { idpId } = await call(service, "AddOIDCIDP", IDP);
  const idp = { id: String(idpId), ownerId: service.instanceId, sequence: 1n };
  await call(service, "LockUser", { id });
  await call(service, "UnlockUser", { id });
  const parts = { db: service.db, clock: () => new Date() };
  expect(await recordIdpCheck(parts, linked, { idp }, {})).toBeUndefined();
  const current = await findSignInUser(service, id);
  expect(current && (await recordIdpCheck(parts, current, { idp }, {}))).toMatchObject({ id });
  // Another version of the provider has confirmed the user.
  await call(service, "UpdateIDP", { idpId: idp.id, name: "Renamed" });
  const changed = await findSignInUser(service, id);
  expect(changed && (await recordIdpCheck(parts, changed, { idp }, {}))).toBeUndefined();
});

test("a passkey that is removed after it was verified does not complete the sign-in", async () => {
  const userId = await importAda(service, VERIFIED);
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator);
  const person = createPerson(service);
  const page = await person.open(createRequest(app).url);
  const response = authenticator.get(requestOptionsOf(page).challenge, { userHandle: toUserHandle(userId) });

  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(service.db);
  const url = new URL(environment("TEST_POSTGRES_URL"));
  url.pathname = `/${rows[0]?.name}`;
  const holder = new pg.Client(url.href);
  await holder.connect();
  // The service resets the failures after it has recorded the check, and before it completes the sign-in.
  await holder.query(`
    create function wait_for_test() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(1) where exists (
        select from events where type = 'user.human.passwordless.check.succeeded');
      return null;
    end $$;
    create trigger wait_for_test after update or delete on rate_limits execute function wait_for_test()`);
  await holder.query("select pg_advisory_lock(1)");
  const submitted = submitPasskey(person, page, response);
  await untilBlocked(service.db);
  await call(service, "RemoveHumanPasswordless", { userId, tokenId: authenticator.credentialId });
  await holder.end();
  expect((await submitted).title).toBe("This sign-in has ended");
});
