/**
 * The value of a cookie in the header `cookie`. The first of several cookies with the same name counts (RFC 6265,
 * section 5.4).
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const end = pair.indexOf("=");
    if (end > 0 && pair.slice(0, end).trim() === name) return pair.slice(end + 1).trim();
  }
  return undefined;
}

/** The name of a cookie that, over HTTPS, only this host can set. */
export function hostCookieName(name: string, publicUrl: string): string {
  return publicUrl.startsWith("https:") ? `__Host-${name}` : name;
}

/** A header `set-cookie` for a cookie that no script can read. `value` needs no encoding. */
export function hostCookie(name: string, value: string, options: { publicUrl: string; maxAgeSeconds: number }): string {
  const { publicUrl, maxAgeSeconds } = options;
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${hostCookieName(name, publicUrl)}=${value}; ${attributes}${secure}`;
}
