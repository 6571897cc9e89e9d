/** The origins of the providers that have only one. */
export interface ProviderHosts {
  readonly google: string;
  readonly microsoft: string;
  readonly apple: string;
  readonly gitlab: string;
  readonly github: string;
  readonly githubApi: string;
}

export const PROVIDER_HOSTS: ProviderHosts = {
  google: "https://accounts.google.com",
  microsoft: "https://login.microsoftonline.com",
  apple: "https://appleid.apple.com",
  gitlab: "https://gitlab.com",
  github: "https://github.com",
  githubApi: "https://api.github.com",
};
