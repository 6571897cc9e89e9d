import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { importAda, VERIFIED } from "../../support/browsers/visitor.ts";
import { type OtherProviders, type RegisteredIdp, registerIdp } from "../../support/oidc/other-provider.ts";
import { createRequest, REDIRECT_URI, type RelyingParty, type Request } from "../../support/oidc/relying-party.ts";
import type { TestService } from "../../support/servers/service.ts";

/** All claims that a provider can return about a user. */
export const PERSON = {
  given_name: "Grace",
  family_name: "Hopper",
  name: "Grace Hopper",
  email: "grace@example.com",
  email_verified: true,
};

export type IdpOptions = Parameters<typeof registerIdp>[2];

/** A service with an application and third-party providers. */
export interface IdpScene {
  /** The sign-in page in a new browser. */
  open(options?: { person?: Person; parameters?: Record<string, string> }): Promise<{
    person: Person;
    request: Request;
    page: Page;
  }>;
  newIdp(options?: IdpOptions): Promise<RegisteredIdp>;
  /** An imported user who is linked to an account at a provider. */
  newLinkedUser(fields?: object, options?: IdpOptions): Promise<{ idp: RegisteredIdp; userId: string; sub: string }>;
}

let subs = 0;

/** An id of an external user that no other test uses. */
export function newSub(): string {
  return `external-${++subs}`;
}

export function createIdpScene(service: TestService, app: RelyingParty, providers: OtherProviders): IdpScene {
  const newIdp = (options: IdpOptions = {}) => registerIdp(service, providers, options);
  return {
    newIdp,
    async open({ person = createPerson(service), parameters } = {}) {
      // The pages cache an organization's providers for a few seconds.
      service.clockOffsetMs += 6_000;
      const request = createRequest(app, parameters);
      return { person, request, page: await person.open(request.url) };
    },
    async newLinkedUser(fields = VERIFIED, options = {}) {
      const sub = newSub();
      const idp = await newIdp({ account: { sub }, ...options });
      const userId = await importAda(service, {
        idps: [{ configId: idp.id, externalUserId: sub, displayName: "ada@other" }],
        ...fields,
      });
      return { idp, userId, sub };
    },
  };
}

/** Whether the browser is back at the application with a code. */
export function isDone({ url }: Page): boolean {
  return url.href.startsWith(REDIRECT_URI) && url.searchParams.has("code");
}
