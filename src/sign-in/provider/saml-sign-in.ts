import type { Config } from "../../config.ts";
import { ProviderError, ProviderResponseError } from "../../idps/discover-provider.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { NAME_ID_FORMATS } from "../../idps/kinds.ts";
import type { VerifiedAssertion } from "../../idps/saml/read-response.ts";
import type { ServiceProvider, SigningKey } from "../../idps/saml/saml-options.ts";
import type { SamlThread } from "../../idps/saml/saml-thread.ts";
import type { WrittenRequest } from "../../idps/saml/write-request.ts";
import { networkOf } from "../../network-of.ts";
import type { KindIdp, SamlKind } from "./kinds/kind.ts";

/** A client of a SAML provider. */
export interface SamlClient {
  readonly kind: SamlKind;
  readonly idp: KindIdp;
  readonly serviceProvider: ServiceProvider;
  readonly key: SigningKey;
  readonly thread: SamlThread;
}

/** The entity id of Signet for a provider, where its metadata is. */
export function samlEntityId({ publicUrl }: Pick<Config, "publicUrl">, idpId: string): string {
  return `${publicUrl}/ui/idps/${idpId}/saml/metadata`;
}

/** The URL of the assertion consumer service, to which the provider's page posts responses. */
export function samlAcsUrl({ publicUrl }: Pick<Config, "publicUrl">, idpId: string): string {
  return `${publicUrl}/ui/idps/${idpId}/saml/acs`;
}

/** Signet as the service provider of a SAML provider. */
export function toServiceProvider(
  config: Pick<Config, "publicUrl">,
  { id, issuer, settings: { certificates = [] } }: Pick<SignInIdp, "id" | "issuer" | "settings">,
): ServiceProvider {
  const [audience, acsUrl] = [samlEntityId(config, id), samlAcsUrl(config, id)];
  return { entityId: issuer, certificates, audience, acsUrl };
}

/** The id of a request. It comes from the secret of the browser's attempt, so a response fits one attempt only. */
function toRequestId(nonce: string): string {
  return `_${nonce}`;
}

/**
 * Writes the request with which an authentication at a SAML provider starts.
 *
 * @throws ProviderError
 */
export async function writeSamlRequest(
  { idp: { settings }, serviceProvider, key, thread }: SamlClient,
  {
    nonce,
    state,
    mustAuthenticate,
  }: { readonly nonce: string; readonly state: string; readonly mustAuthenticate: boolean },
): Promise<WrittenRequest> {
  const { binding: wanted, redirectUrl = "", postUrl = "", withSignedRequest, nameIdFormat = "unspecified" } = settings;
  const binding = wanted === "post" || redirectUrl === "" ? "post" : "redirect";
  const written = await thread.writeRequest({
    serviceProvider,
    key: withSignedRequest ? key : undefined,
    requestId: toRequestId(nonce),
    relayState: state,
    binding,
    url: binding === "post" ? postUrl : redirectUrl,
    nameIdFormat: NAME_ID_FORMATS[nameIdFormat],
    mustAuthenticate,
  });
  if (!written.ok) throw new ProviderError(`the request ${written.problem}`);
  return written.value;
}

/** A verified response of a SAML provider. */
export interface SamlRedeemed {
  readonly externalUserId: string;
  readonly authTime: number | undefined;
  readonly assertion: VerifiedAssertion;
}

/** The provider says that the user did not authenticate, or may not sign in (SAML 2.0 Core, section 3.2.2.2). */
const DENIED: ReadonlySet<string> = new Set(["AuthnFailed", "RequestDenied"]);

/**
 * Verifies a response to the request of an attempt, which has been used up, or one that answers no request.
 *
 * @throws ProviderResponseError if the provider's response is an error; otherwise ProviderError.
 */
export async function redeemSamlResponse(
  { idp, serviceProvider, thread }: SamlClient,
  {
    nonce,
    response = null,
    address,
  }: { readonly nonce: string | undefined; readonly response?: string | null; readonly address: string },
  now: Date,
): Promise<SamlRedeemed> {
  if (response === null) throw new ProviderError("there is no response");
  const requestId = nonce === undefined ? undefined : toRequestId(nonce);
  const read = await thread.readResponse(
    { serviceProvider, response, requestId, now: now.getTime() },
    networkOf(address),
  );
  if (!read.ok) {
    if (read.refusal === undefined) throw new ProviderError(read.problem);
    throw new ProviderResponseError(DENIED.has(read.refusal) ? "access_denied" : read.refusal, undefined);
  }
  const assertion = read.value;
  return { externalUserId: toExternalId(assertion, idp), authTime: assertion.authTime, assertion };
}

/** A transient name is another one each time, and there may be none, so an attribute names the user. */
function toExternalId({ nameId, nameIdFormat, attributes }: VerifiedAssertion, { settings }: KindIdp): string {
  if (nameId !== "" && nameIdFormat !== NAME_ID_FORMATS.transient) return nameId;
  const name = settings.transientMappingAttributeName ?? "";
  if (name === "") {
    const problem = nameId === "" ? "the assertion has no NameID" : "the name of the user is transient";
    throw new ProviderError(`${problem}, and no attribute is configured`);
  }
  const values = attributes.filter(([each]) => each === name).flatMap(([, texts]) => texts);
  const [value = ""] = values;
  if (value === "" || values.length !== 1) {
    throw new ProviderError("the attribute with the id of the user does not have exactly one value");
  }
  return value;
}
