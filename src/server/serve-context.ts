import type { Logger } from "pino";

/** What answering a call needs besides the call. */
export interface ServeContext {
  readonly maxBodyBytes: number;
  readonly log: Logger;
}
