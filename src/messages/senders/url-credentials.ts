/** Returns the percent-decoded user and password of a URL, or undefined if it has neither. */
export function urlCredentials({ username, password }: URL): { user: string; password: string } | undefined {
  if (username === "" && password === "") return undefined;
  return { user: decode(username), password: decode(password) };
}

/** Returns text that is not valid percent-encoding unchanged, because a password may contain a percent sign. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
