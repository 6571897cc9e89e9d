/** What the page says about the service that sent it. */
export interface Settings {
  /** The origin of the service, which is also its OpenID issuer. */
  readonly issuer: string;
  /** The id of the console among the applications of the service. */
  readonly clientId: string;
}

export function readSettings(): Settings {
  return { issuer: readMeta("signet-issuer"), clientId: readMeta("signet-client-id") };
}

function readMeta(name: string): string {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  if (meta === null) throw new Error(`the page has no ${name}`);
  return meta.content;
}
