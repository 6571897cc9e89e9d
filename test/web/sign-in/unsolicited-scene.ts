import { headingOf } from "../../support/browsers/heading-of.ts";
import type { Page, Person } from "../../support/browsers/person.ts";
import { respond, type SamlProvider } from "../../support/saml/saml-provider.ts";
import type { TestService } from "../../support/servers/service.ts";

/** A response that answers no request, as the provider's portal makes it. */
export async function createUnsolicited(
  service: TestService,
  saml: SamlProvider,
  idpId: string,
  { edit = (xml: string) => xml, ...options }: NonNullable<Parameters<typeof respond>[2]> = {},
): Promise<string> {
  const base = `${service.config.publicUrl}/ui/idps/${idpId}/saml`;
  const request = { id: "", audience: `${base}/metadata`, acsUrl: `${base}/acs` };
  const withoutRequest = (xml: string) => edit(xml.replaceAll(' InResponseTo=""', ""));
  return await respond(saml, request, { ...options, edit: withoutRequest });
}

/** Posts a response from the provider's site, and follows the redirect. */
export async function bring(
  service: TestService,
  saml: SamlProvider,
  person: Person,
  idpId: string,
  form: Record<string, string>,
): Promise<Page> {
  const url = new URL(`/ui/idps/${idpId}/saml/acs`, service.config.publicUrl);
  const response = await person.browser.open(url.href, {
    method: "POST",
    headers: { origin: saml.origin, "sec-fetch-site": "cross-site", "x-forwarded-for": "10.9.9.9" },
    body: new URLSearchParams(form),
  });
  if (response.location !== "") return person.open(new URL(response.location, url));
  return { ...response, url, title: headingOf(response.text), alert: "" };
}
