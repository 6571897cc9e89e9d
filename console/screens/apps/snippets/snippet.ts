/** What the developer of an application copies. */
export interface Snippet {
  /** The name of the framework, such as `Express`. */
  readonly name: string;
  /** Where it runs, such as `Node.js`. */
  readonly platform: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** @param files Their texts by their names. */
export function toSnippet(name: string, platform: string, files: Readonly<Record<string, string>>): Snippet {
  return { name, platform, files: Object.entries(files).map(([file, text]) => ({ name: file, text })) };
}

/** The application in the snippets. */
export interface SnippetValues {
  /** The URL of the service. */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** The path of the redirect URI, such as `/signed-in`. */
export function pathOf({ redirectUri }: SnippetValues): string {
  return URL.parse(redirectUri)?.pathname ?? "/signed-in";
}

/** The origin of the application. */
export function originOf({ redirectUri }: SnippetValues): string {
  return URL.parse(redirectUri)?.origin ?? "https://app.example.com";
}
