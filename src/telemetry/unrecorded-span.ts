import { randomBytes } from "node:crypto";
import type { ServerSpan } from "./span.ts";

/** A span of an unsampled trace: propagates the trace, but records nothing. */
export class UnrecordedSpan implements ServerSpan {
  readonly traceId: string;
  readonly isRecorded = false;
  readonly isHeld = false;
  readonly #state: string | undefined;

  constructor(traceId: string, state: string | undefined) {
    this.traceId = traceId;
    this.#state = state;
  }

  admit(): void {}
  child(): undefined {}
  set(): void {}
  rename(): void {}
  event(): void {}
  link(): void {}
  end(): void {}

  toHeaders(): Record<string, string> {
    const traceparent = `00-${this.traceId}-${randomBytes(8).toString("hex")}-00`;
    return { traceparent, ...(this.#state !== undefined && { tracestate: this.#state }) };
  }
}
