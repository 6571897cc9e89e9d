import type { Page, Person } from "../../support/browsers/person.ts";
import { importAda, userOf } from "../../support/browsers/visitor.ts";
import { type RelyingParty, type Request, redeem } from "../../support/oidc/relying-party.ts";
import type { TestService } from "../../support/servers/service.ts";
import { type IdpScene, isDone } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";

const BOTH = [true, false];

/** What `email_verified` is at the provider and here, whether the local user has a password, `autoRegister`, a link. */
export const TAKEOVER_CELLS = [true, false, undefined, "false"].flatMap((atProvider) =>
  BOTH.flatMap((local) =>
    BOTH.flatMap((password) =>
      BOTH.flatMap((auto) => BOTH.map((linked) => [atProvider, local, password, auto, linked] as const)),
    ),
  ),
);

/**
 * The cells that depend on the kind of the provider, which decides only whether an address counts as verified: a local user who
 * can sign in, and an external one who gets an account without a question.
 */
export const KIND_CELLS = TAKEOVER_CELLS.filter(
  ([, local, password, auto, linked]) => local && password && auto && !linked,
);

export type TakeoverCell = (typeof TAKEOVER_CELLS)[number];

export const TAKEOVER_TITLE =
  "verified at the provider: %s, verified here: %s, password: %s, autoRegister: %s, link: %s";

/** An external user who has the address of a local one. */
export interface Stranger {
  readonly idpId: string;
  readonly externalId: string;
  readonly email: string;
  /** The user name that the provider reports; undefined if it reports none. */
  readonly userName: string | undefined;
  /** Whether the address counts as verified by the provider. */
  readonly isVerified: boolean;
  readonly signIn: (person: Person, page: Page, request: Request) => Promise<Page>;
}

/** Expects that an external user gets into an account here by a link only, and otherwise changes nothing in it. */
export async function expectNoTakeover(
  { service, app, scene }: { readonly service: TestService; readonly app: RelyingParty; readonly scene: IdpScene },
  { idpId, externalId, email, userName, isVerified, signIn }: Stranger,
  [, isEmailVerified, hasPassword, auto, isLinked]: TakeoverCell,
): Promise<void> {
  const userId = await importAda(service, {
    email: { email, isEmailVerified },
    ...(hasPassword && { password: service.secret(PASSWORD) }),
    ...(isLinked && { idps: [{ configId: idpId, externalUserId: externalId, displayName: "" }] }),
  });
  const before = await userOf(service, userId);
  const { person, request, page } = await scene.open();
  const result = await signIn(person, page, request);
  const signedInAs = isDone(result) ? (await redeem(service, app, result.url, request)).claims()?.sub : undefined;
  const linked = await service.db
    .selectFrom("user_idp_links")
    .innerJoin("users", "users.id", "user_idp_links.user_id")
    .select(["users.id", "users.user_name", "users.email_verified"])
    .where("idp_id", "=", idpId)
    .where("external_user_id", "=", externalId)
    .execute();
  if (isLinked) {
    // A link signs in to the account, whatever the provider reports about the address. The gate comes first.
    expect(signedInAs).toBe(isEmailVerified ? userId : undefined);
    if (!isEmailVerified) expect(result.title).toBe("Confirm your email address");
    expect(linked).toMatchObject([{ id: userId }]);
    return;
  }
  // The external user cannot sign in to the account, and the account does not change.
  expect(await userOf(service, userId)).toEqual(before);
  expect(linked.map(({ id }) => id)).not.toContain(userId);
  if (!auto) {
    expect([result.title, signedInAs, linked]).toEqual(["Account not linked yet", undefined, []]);
    return;
  }
  // The address that the local user has verified is not taken over: the external user links it, or proves it by a link.
  if (isVerified && isEmailVerified) {
    expect([result.title, signedInAs, linked]).toEqual(["Account not linked yet", undefined, []]);
    return;
  }
  // Without a user name, only a verified address can be one.
  if (userName === undefined && !isVerified) {
    expect([result.title, signedInAs, linked]).toEqual(["Create your account", undefined, []]);
    return;
  }
  expect(linked).toMatchObject([{ user_name: userName ?? email, email_verified: isVerified }]);
  expect(signedInAs).toBe(isVerified ? linked[0]?.id : undefined);
  if (!isVerified) expect(result.title).toBe("Confirm your email address");
}
