import { ProviderError } from "../../idps/discover-provider.ts";
import { findSamlIdp } from "../../idps/find-sign-in-idp.ts";
import { NAME_ID_FORMATS } from "../../idps/kinds.ts";
import { readSigningKey } from "../../idps/saml/signing-key.ts";
import { storeIdpResponse } from "../../sign-in/idp-attempts.ts";
import { openClientSecret } from "../../sign-in/idp-clients.ts";
import { toServiceProvider } from "../../sign-in/saml-sign-in.ts";
import type { AccountParts } from "../account/account-parts.ts";
import type { PageResponse, PageRoute, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { continueWith } from "./idp-callback.ts";
import { reportIdpFailure } from "./idp-request.ts";
import { IDP_STATES } from "./idp-state.ts";
import { readSamlResponseForm } from "./saml-response-form.ts";
import { endedPage } from "./sign-in-page.ts";
import { continueRoute, failedPage, findResponseIdp, receiveUnsolicited } from "./unsolicited.ts";

/**
 * `/ui/idps/<id>/saml/metadata`: Signet's metadata for a provider. `/ui/idps/<id>/saml/acs`: stores a response with the
 * attempt that its `RelayState` names, and redirects the browser, which sends cookies of this site only then. A response
 * without an attempt of ours is refused, unless a sign-in may begin at the provider (`receiveUnsolicited`).
 */
export function findSamlRoute(path: string): PageRoute<AccountParts> | undefined {
  const [, idpId, name] = /^\/ui\/idps\/([0-9a-f-]{36})\/saml\/(metadata|acs|continue)$/.exec(path) ?? [];
  if (idpId === undefined) return undefined;
  if (name === "continue") return continueRoute(idpId);
  if (name === "metadata") return { get: (parts, visit) => sendMetadata(parts, visit, idpId) };
  return {
    postLargeForm: (parts, visit) => receive(parts, visit, idpId),
    acceptsOtherSites: true,
  };
}

async function sendMetadata(parts: AccountParts, visit: Visit, idpId: string): Promise<PageResponse> {
  const idp = await findSamlIdp(parts, idpId, visit.caller);
  if (idp === undefined) return problemPage("not-found", visit);
  const { withSignedRequest, nameIdFormat = "unspecified" } = idp.settings;
  const written = await parts.saml.writeMetadata({
    serviceProvider: toServiceProvider(parts.config, idp),
    key: withSignedRequest ? readSigningKey(openClientSecret(parts.keyring, idp)) : undefined,
    nameIdFormat: NAME_ID_FORMATS[nameIdFormat],
  });
  if (!written.ok) throw new Error(`the metadata ${written.problem}`);
  const headers = {
    "content-type": "application/samlmetadata+xml",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
  };
  return { status: 200, headers, body: written.value };
}

async function receive(parts: AccountParts, visit: Visit, idpId: string): Promise<PageResponse> {
  const form = await readSamlResponseForm(visit.request);
  if (form === undefined) return await refuseLarge(parts, visit, idpId);
  const { relayState, response } = form;
  if (response === "") return endedPage(visit, undefined);
  const origin = await storeIdpResponse(parts, { state: relayState, idpId, response }, visit.caller);
  if (origin === undefined) return await receiveUnsolicited(parts, visit, idpId, response);
  const state = IDP_STATES.open(parts, idpId, origin);
  if (state === undefined) return endedPage(visit, undefined);
  return continueWith(state, new URLSearchParams({ idp: idpId, state: relayState }));
}

async function refuseLarge(parts: AccountParts, visit: Visit, idpId: string): Promise<PageResponse> {
  const idp = await findResponseIdp(parts, visit, idpId);
  if (idp === undefined) return problemPage("too-large", visit);
  reportIdpFailure(parts, visit, idp, new ProviderError("the response is too large: it has more than 1 MiB"));
  return await failedPage(parts, visit, idp, "tooLarge");
}
