import { MAX_VALUES } from "../../../src/rpc/body-limits.ts";

/** A body that is designed to take as much time to read as possible. */
export interface HostileBody {
  readonly name: string;
  readonly body: Buffer;
  /** The start of the error message; undefined if the body contains a valid message. */
  readonly problem: string | undefined;
}

/** The default of MAX_BODY_BYTES. */
export const MIB = 1_048_576;

/** The number of items in a body that contains little else. */
export const MOST = MAX_VALUES - 10;
