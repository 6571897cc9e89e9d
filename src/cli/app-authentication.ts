import { readOptionFile } from "./read-option-file.ts";

/** How an application authenticates itself; at most one of the options is given. */
export interface AuthenticationOptions {
  readonly authMethod?: "basic" | "post";
  /** A file with the application's public keys. */
  readonly jwksFile?: string;
  readonly jwksUri?: string;
}

/**
 * The settings of the application for the options.
 *
 * @returns Undefined if no option is given.
 * @throws ConfigError if the file cannot be read.
 */
export function readAuthentication({ authMethod, jwksFile, jwksUri = "" }: AuthenticationOptions) {
  if (jwksFile !== undefined || jwksUri !== "") {
    const jwks = jwksFile === undefined ? null : readOptionFile("--jwks-file", jwksFile).toString("utf8");
    return { authMethod: "private_key_jwt" as const, jwks, jwksUri: jwksUri || null };
  }
  return authMethod && { authMethod, jwks: null, jwksUri: null };
}
