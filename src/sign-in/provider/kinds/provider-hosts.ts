export const PROVIDER_HOSTS = {
  google: "https://accounts.google.com",
  microsoft: "https://login.microsoftonline.com",
  apple: "https://appleid.apple.com",
  gitlab: "https://gitlab.com",
  github: "https://github.com",
  githubApi: "https://api.github.com",
};

/** The origins of the providers that have only one. */
export type ProviderHosts = Readonly<typeof PROVIDER_HOSTS>;
