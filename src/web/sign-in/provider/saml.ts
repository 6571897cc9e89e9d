import { bodyTooLarge, SignetError } from "../../../errors.ts";
import { findParameterError } from "../../../http/find-parameter-error.ts";
import { ProviderError } from "../../../idps/discover-provider.ts";
import { findSamlIdp } from "../../../idps/find-sign-in-idp.ts";
import { NAME_ID_FORMATS } from "../../../idps/kinds.ts";
import { readSigningKey } from "../../../idps/saml/signing-key.ts";
import { storeIdpResponse } from "../../../sign-in/provider/idp-attempts.ts";
import { openClientSecret } from "../../../sign-in/provider/idp-clients.ts";
import { toServiceProvider } from "../../../sign-in/provider/saml-sign-in.ts";
import type { PageRequest, PageResponse, PageRoute, Visit } from "../../frame/page.ts";
import { problemPage } from "../../frame/problem-page.ts";
import { endedPage } from "../ended-page.ts";
import type { SignInParts } from "../sign-in-parts.ts";
import { continueWith, IDP_STATES } from "./idp-callback.ts";
import { reportIdpFailure } from "./idp-request.ts";
import { continueRoute, failedPage, findResponseIdp, receiveUnsolicited } from "./unsolicited.ts";

/**
 * `/ui/idps/<id>/saml/metadata`: Signet's metadata for a provider. `/ui/idps/<id>/saml/acs`: stores a response with the
 * attempt that its `RelayState` names, and redirects the browser, which sends cookies of this site only then. A response
 * without an attempt of ours is refused, unless a sign-in may begin at the provider (`receiveUnsolicited`).
 */
export function findSamlRoute(path: string): PageRoute<SignInParts> | undefined {
  const [, idpId, name] = /^\/ui\/idps\/([0-9a-f-]{36})\/saml\/(metadata|acs|continue)$/.exec(path) ?? [];
  if (idpId === undefined) return undefined;
  if (name === "continue") return continueRoute(idpId);
  if (name === "metadata") return { get: (parts, visit) => sendMetadata(parts, visit, idpId) };
  return {
    postLargeForm: (parts, visit) => receive(parts, visit, idpId),
    acceptsOtherSites: true,
  };
}

async function sendMetadata(parts: SignInParts, visit: Visit, idpId: string): Promise<PageResponse> {
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

async function receive(parts: SignInParts, visit: Visit, idpId: string): Promise<PageResponse> {
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

async function refuseLarge(parts: SignInParts, visit: Visit, idpId: string): Promise<PageResponse> {
  const idp = await findResponseIdp(parts, visit, idpId);
  if (idp === undefined) return problemPage("too-large", visit);
  reportIdpFailure(parts, visit, idp, new ProviderError("the response is too large: it has more than 1 MiB"));
  return await failedPage(parts, visit, idp, "tooLarge");
}

/** A response of 1 MiB in Base64 with line breaks, percent-encoded. */
const MAX_BYTES = 2 * 2 ** 20;
/** Of the other fields. */
const MAX_OTHERS = 8 * 1_024;
const RESPONSE = "SAMLResponse=";

/** The form with which a SAML provider sends a response. */
interface SamlResponseForm {
  readonly relayState: string;
  /** Percent-encoded, because decoding and copying a large one takes 20 to 100 ms. The thread that reads it does so. */
  readonly response: string;
}

/**
 * Reads the form.
 *
 * @returns Undefined if it is too large.
 * @throws SignetError INVALID_ARGUMENT, and those of `readBody` except BODY_TOO_LARGE.
 */
async function readSamlResponseForm(request: PageRequest): Promise<SamlResponseForm | undefined> {
  const body = await readUpTo(request, MAX_BYTES);
  if (body === undefined) return undefined;
  const text = body.toString("latin1");
  const start = text.startsWith(RESPONSE) ? 0 : text.indexOf(`&${RESPONSE}`) + 1;
  const isFound = text.startsWith(RESPONSE, start);
  const end = isFound ? (text.indexOf("&", start) + 1 || text.length + 1) - 1 : 0;
  const others = isFound ? text.slice(0, start) + text.slice(end + 1) : text;
  if (others.length > MAX_OTHERS) throw bodyTooLarge(MAX_OTHERS);
  const problem = findParameterError(others);
  if (problem !== undefined) throw problem;
  const response = isFound ? text.slice(start + RESPONSE.length, end) : "";
  // What is not printable ASCII is neither Base64 nor percent-encoded.
  const isPlain = /^[!-~]*$/.test(response);
  return { relayState: new URLSearchParams(others).get("RelayState") ?? "", response: isPlain ? response : "!" };
}

async function readUpTo(request: PageRequest, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await request.readBody(maxBytes);
  } catch (error) {
    if (error instanceof SignetError && error.reason === "BODY_TOO_LARGE") return undefined;
    throw error;
  }
}
