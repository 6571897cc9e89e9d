import { decodeProtectedHeader } from "jose";
import type { Client, Provider } from "oidc-provider";
import { SIGNING_ALGORITHMS } from "./signing-keys.ts";

interface IdTokens {
  validate(jwt: string, client: Pick<Client, "clientId" | "idTokenSignedResponseAlg">): Promise<unknown>;
}

/**
 * Accepts ID tokens of each algorithm as `id_token_hint`. oidc-provider accepts only that of the application, so a change
 * of it would invalidate the ID tokens of all live sessions.
 */
export function acceptEarlierHints(provider: Provider): void {
  const { IdToken } = provider as unknown as { readonly IdToken: IdTokens };
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = async (jwt, { clientId, idTokenSignedResponseAlg }) => {
    const { alg } = decodeProtectedHeader(jwt);
    const signed = SIGNING_ALGORITHMS.find((name) => name === alg) ?? idTokenSignedResponseAlg;
    return await validate(jwt, { clientId, idTokenSignedResponseAlg: signed });
  };
}
