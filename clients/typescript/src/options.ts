import type { Interceptor } from "@connectrpc/connect";
import type { RetryOptions } from "./retry.ts";

/** A token, or a function that returns one. It is called once for each call, not for each attempt. */
export type TokenProvider = string | (() => string | Promise<string>);

export interface SignetOptions {
  /** Origin of the service, such as `https://id.example.com`. */
  readonly baseUrl: string;
  /** Personal access token of a service, or access token of a person who signed in. */
  readonly token?: TokenProvider | undefined;
  /** Id of the organization that the calls act on. Default: the token owner's organization. */
  readonly orgId?: string | undefined;
  /** Maximum duration of a call in milliseconds, including all attempts. Default: 15,000. 0 means no limit. */
  readonly timeoutMs?: number | undefined;
  /** When to repeat a failed call; `false`: never. */
  readonly retry?: RetryOptions | false | undefined;
  /** They run for each attempt. */
  readonly interceptors?: readonly Interceptor[] | undefined;
}
