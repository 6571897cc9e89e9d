/**
 * What may be shown of a URL, whose path or query may contain a secret: its host, with the port. Of a URL of an application
 * on the device, such as `com.example.app://signed-in`, the scheme, because a host in it means nothing.
 */
export function hostOf(url: string): string {
  const { host, protocol } = new URL(url);
  return /^https?:$/.test(protocol) ? host : protocol;
}
