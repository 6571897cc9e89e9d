/** What must be known when the browser comes back from the sign-in. */
export interface SignInRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

/** Of this tab only. */
const KEY = "signet-sign-in";

export function storeRequest(request: SignInRequest): void {
  sessionStorage.setItem(KEY, JSON.stringify(request));
}

export function readRequest(): SignInRequest | undefined {
  const text = sessionStorage.getItem(KEY);
  return text === null ? undefined : JSON.parse(text);
}

/** A request is used once. */
export function forgetRequest(): void {
  sessionStorage.removeItem(KEY);
}
