/** A successful response that does not come from oidc-provider. */
export interface DirectResponse {
  readonly body: object;
  /** Whether the request has brought a valid token or secret. */
  readonly isAuthenticated: boolean;
}
