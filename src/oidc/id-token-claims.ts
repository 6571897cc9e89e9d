import type { KoaContextWithOIDC, Provider } from "oidc-provider";

/** An ID token that is being issued. Logout tokens are of the same class, and have no scope. */
interface IdToken {
  readonly ctx?: KoaContextWithOIDC | undefined;
  scope?: string;
  payload(): Promise<Record<string, unknown>>;
}

/**
 * Puts the claims of all granted scopes in the ID tokens of the applications that want it, like userinfo.
 *
 * Patches the method that selects the claims, because oidc-provider has one setting for all clients.
 */
export function fillIdTokens(provider: Provider): void {
  const { prototype } = (provider as unknown as { readonly IdToken: { readonly prototype: IdToken } }).IdToken;
  const { payload } = prototype;
  prototype.payload = async function filled(this: IdToken) {
    const { client, entities } = this.ctx?.oidc ?? {};
    const granted = entities?.AccessToken?.scope;
    if (this.scope === "openid" && client?.signet_id_token_userinfo_assertion === true && granted !== undefined) {
      this.scope = granted;
    }
    return await payload.call(this);
  };
}
