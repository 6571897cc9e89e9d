import { MAX_VALUES } from "../../src/rpc/body-limits.ts";

/** A body made to take as much time as possible. */
export interface HostileBody {
  readonly name: string;
  readonly body: Buffer;
  /** How the message of the error begins; undefined if the body holds a message. */
  readonly problem: string | undefined;
}

/** The default of MAX_BODY_BYTES. */
export const MIB = 1_048_576;

/** How many items a body can have that has little else. */
export const MOST = MAX_VALUES - 10;
