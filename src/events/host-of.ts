/**
 * What a payload has of a URL, whose path or query may contain a secret: the host, with its port, or the scheme of a URL
 * without a host, such as `com.example.app:`.
 */
export function hostOf(url: string): string {
  const { host, protocol } = new URL(url);
  return host || protocol;
}
