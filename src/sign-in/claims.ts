/** The claims of an ID token, of userinfo or of a user endpoint. */
export type Claims = Readonly<Record<string, unknown>>;
