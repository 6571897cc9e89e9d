import type { Call } from "../../call.ts";
import type { Config } from "../../config.ts";
import { invalidArgument, type SignetError } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import { createOutboundFetch } from "../../outbound/outbound-fetch.ts";
import type { Owner } from "../../owner.ts";
import { checkAddressTrust } from "../address-trust.ts";
import { addProvider, updateProvider } from "../change-provider.ts";
import type { CheckedSettings } from "../check-provider.ts";
import type { InsertIdpParts } from "../insert-idp.ts";
import type { CheckedSamlProvider } from "./check-saml-provider.ts";
import type { SamlMetadata } from "./read-metadata.ts";
import type { SamlThread } from "./saml-thread.ts";
import { createSigningKey } from "./signing-key.ts";

/**
 * Adds a SAML provider to the instance or to an organization (docs/reference/providers.md), with a new key that signs
 * requests.
 *
 * @throws SignetError INVALID_ARGUMENT for metadata that cannot be used or loaded, PERMISSION_DENIED for automatic
 *   linking or trusted addresses without the permissions, UNAVAILABLE if too many metadata wait, or for a failure of the database.
 */
export async function addSamlProvider(
  parts: InsertIdpParts & LoadMetadataParts,
  request: CheckedSamlProvider,
  owner: Owner,
  call: Call,
): Promise<Changed & { readonly id: string }> {
  checkAddressTrust({ ...request.options, trustEmail: request.trustEmail }, owner, call);
  const provider = await loadMetadata(parts, request, owner, call);
  const secret = await createSigningKey(parts.clock());
  call.throwIfOver();
  return await addProvider(parts, { id: "", provider, secret }, owner, call);
}

/**
 * Replaces the settings of a SAML provider (docs/reference/providers.md), and keeps its key.
 *
 * @throws SignetError as `addSamlProvider` and `updateProvider`.
 */
export async function updateSamlProvider(
  parts: InsertIdpParts & LoadMetadataParts,
  request: CheckedSamlProvider,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  checkAddressTrust({ ...request.options, trustEmail: request.trustEmail }, owner, call);
  const provider = await loadMetadata(parts, request, owner, call);
  call.throwIfOver();
  return await updateProvider(parts, { id: request.id, provider, secret: "" }, owner, call);
}

export interface LoadMetadataParts {
  readonly config: Pick<Config, "idpAllowPrivateNetworks">;
  readonly saml: SamlThread;
}

const REQUEST_MS = 5_000;
/** As in the schema. */
const MAX_BYTES = 500_000;

/**
 * Reads the metadata of a request, and returns the provider. Metadata at a URL are loaded once: if they were loaded
 * again later, anyone who controls the URL could replace the keys of a provider with linked users.
 *
 * @throws SignetError INVALID_ARGUMENT, or UNAVAILABLE if too many metadata wait.
 */
async function loadMetadata(
  { config, saml }: LoadMetadataParts,
  { name, options, metadata: given, ...request }: CheckedSamlProvider,
  owner: Owner,
  call: Call,
): Promise<CheckedSettings> {
  const field = typeof given === "string" ? "metadataUrl" : "metadataXml";
  const allowsPrivate = owner.kind === "instance" || config.idpAllowPrivateNetworks;
  const bytes = typeof given === "string" ? await download(given, allowsPrivate, call) : given;
  const read = await saml.readMetadata(bytes);
  if (!read.ok) throw invalid(field, read.problem);
  const { binding } = request;
  if (binding !== "unspecified" && !hasBinding(read.value, binding)) {
    throw invalid("binding", "must be one for which the metadata has a SingleSignOnService");
  }
  const { entityId: issuer, redirectUrl, postUrl, certificates, wantsSignedRequests } = read.value;
  const { nameIdFormat, transientMappingAttributeName, allowIdpInitiated, trustEmail } = request;
  const withSignedRequest = request.withSignedRequest || wantsSignedRequests;
  const urls = { redirectUrl, postUrl, certificates };
  const names = { nameIdFormat, transientMappingAttributeName };
  const settings = {
    ...{ ...urls, binding, withSignedRequest, ...names, allowIdpInitiated },
    ...(trustEmail && { trustEmail }),
  };
  return { kind: "saml", name, clientId: "", issuer, scopes: [], settings, options };
}

function hasBinding({ postUrl, redirectUrl }: SamlMetadata, binding: "post" | "redirect"): boolean {
  return (binding === "post" ? postUrl : redirectUrl) !== "";
}

async function download(url: string, allowsPrivate: boolean, { signal }: Call): Promise<Uint8Array> {
  const fetch = createOutboundFetch({ allowsPrivate, timeoutMs: REQUEST_MS, maxBodyBytes: MAX_BYTES });
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { accept: "application/samlmetadata+xml, application/xml, text/xml" },
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw invalid("metadataUrl", `cannot be loaded: ${error instanceof Error ? error.message : ""}`);
  }
  if (response.status !== 200) throw invalid("metadataUrl", `responds with status ${response.status} instead of 200`);
  return new Uint8Array(await response.arrayBuffer());
}

function invalid(field: string, description: string): SignetError {
  return invalidArgument({ field, description });
}
