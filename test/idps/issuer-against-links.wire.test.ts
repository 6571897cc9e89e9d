import { sql } from "kysely";
import { SignetError } from "../../src/errors.ts";
import { updateIdpOidcConfig } from "../../src/idps/change-oidc-idp.ts";
import { findSignInUser } from "../../src/sign-in/find-sign-in-user.ts";
import { linkExternalUser } from "../../src/sign-in/provider/link-external-user.ts";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { IDP } from "../support/clients/requests.ts";
import { outboxOf } from "../support/messages/outbox-of.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const HOSTILE = "https://hostile.example.com";
const ROUNDS = 12;
const LINKS = 4;

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(() => service?.close());

async function changeIssuer(idpId: string): Promise<string> {
  const config = { clientId: IDP.clientId, issuer: HOSTILE, scopes: [], displayNameMapping: 0, usernameMapping: 0 };
  const owner = { kind: "org", id: service.orgId } as const;
  try {
    const editor = createPrincipalCall({ userId: service.adminId });
    await updateIdpOidcConfig(service, { idpId, config, clientSecret: "" }, owner, editor);
    return "changed";
  } catch (error) {
    if (!(error instanceof SignetError)) throw error;
    return error.reason;
  }
}

test("a new issuer and links that users confirm at the same time never meet", async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const idpId = String((await call(service, "AddOrgOIDCIDP", IDP)).idpId);
    const users = await Promise.all(
      Array.from({ length: LINKS }, async () => findSignInUser(service, await importAda(service, VERIFIED))),
    );
    const link = (index: number) => {
      const user = users[index];
      if (user === undefined) throw new Error("there is no such user");
      const confirmedBy = { id: idpId, ownerId: service.orgId, sequence: 1n };
      const fields = { idpId, externalUserId: `external-${index}`, displayName: "" };
      return linkExternalUser({ ...service, outbox: outboxOf(service) }, user, confirmedBy, fields, {
        throwIfOver() {},
        signal: new AbortController().signal,
      });
    };
    // The change is sent before, between or after the links. In the first two rounds it is clear what is first.
    const position = round % (LINKS + 1);
    const before = Array.from({ length: position }, (_, index) => link(index));
    if (round === 1) await Promise.all(before);
    const change = changeIssuer(idpId);
    if (round === 0) await change;
    const after = Array.from({ length: LINKS - position }, (_, index) => link(position + index));
    const outcome = await change;
    const confirmed = (await Promise.all([...before, ...after])).filter((user) => user !== undefined).length;
    const stored = await service.db
      .selectFrom("idps")
      .select("issuer")
      .select(sql<bigint>`(select count(*) from user_idp_links where idp_id = idps.id)`.as("links"))
      .where("id", "=", idpId)
      .executeTakeFirstOrThrow();
    if (outcome === "changed") {
      expect([stored, confirmed]).toEqual([{ issuer: HOSTILE, links: 0n }, 0]);
    } else {
      expect([outcome, stored]).toEqual(["IDP_HAS_LINKS", { issuer: IDP.issuer, links: BigInt(confirmed) }]);
      expect(confirmed).toBeGreaterThan(0);
    }
    outcomes.add(outcome);
  }
  expect(outcomes).toEqual(new Set(["changed", "IDP_HAS_LINKS"]));
});
