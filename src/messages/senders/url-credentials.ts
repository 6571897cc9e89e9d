/** User and password of a URL, without percent encoding; undefined where it has neither. */
export function urlCredentials({ username, password }: URL): { user: string; password: string } | undefined {
  if (username === "" && password === "") return undefined;
  return { user: decode(username), password: decode(password) };
}

/** As it is where that is no percent encoding: a password may hold a percent sign for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
