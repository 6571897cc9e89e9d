import { generateServiceProviderMetadata, SAML as Saml } from "@node-saml/node-saml";
import { type ServiceProvider, type SigningKey, toOptions } from "./saml-options.ts";

/** A request to authenticate a user. */
export interface SamlRequest {
  readonly serviceProvider: ServiceProvider;
  /** Undefined to send the request unsigned. */
  readonly key: SigningKey | undefined;
  readonly requestId: string;
  /** Comes back with the response. */
  readonly relayState: string;
  readonly binding: "post" | "redirect";
  /** Where the request is sent. */
  readonly url: string;
  /** The URN of the format of the user's name. */
  readonly nameIdFormat: string;
  /** Whether the user has to authenticate again. */
  readonly mustAuthenticate: boolean;
}

/** A URL to redirect a browser to, or a form that a browser posts to the URL. */
export type WrittenRequest =
  | { readonly binding: "redirect"; readonly url: string }
  | { readonly binding: "post"; readonly url: string; readonly fields: Readonly<Record<string, string>> };

/** Writes a request, and signs it (SAML 2.0 Bindings, sections 3.4 and 3.5). */
export async function writeRequest(request: SamlRequest): Promise<WrittenRequest> {
  const { serviceProvider, key, requestId, relayState, binding, url } = request;
  const saml = new Saml({
    ...toOptions(serviceProvider, key),
    entryPoint: url,
    identifierFormat: request.nameIdFormat,
    forceAuthn: request.mustAuthenticate,
    skipRequestCompression: binding === "post",
    authnRequestBinding: binding === "post" ? "HTTP-POST" : "HTTP-Redirect",
    generateUniqueId: () => requestId,
  });
  if (binding === "redirect") return { binding, url: await saml.getAuthorizeUrlAsync(relayState, undefined, {}) };
  const fields = await saml.getAuthorizeMessageAsync(relayState);
  return {
    binding,
    url,
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, `${value}`])),
  };
}

/** Signet's own metadata for an identity provider. */
export function writeOwnMetadata({
  serviceProvider,
  key,
  nameIdFormat,
}: Pick<SamlRequest, "serviceProvider" | "key" | "nameIdFormat">): string {
  const { audience: issuer, acsUrl: callbackUrl } = serviceProvider;
  return generateServiceProviderMetadata({
    issuer,
    callbackUrl,
    identifierFormat: nameIdFormat,
    wantAssertionsSigned: true,
    generateUniqueId: () => "_signet",
    ...(key && { privateKey: key.privateKey, publicCerts: key.certificate }),
  });
}
