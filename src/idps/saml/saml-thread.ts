import { Piscina } from "piscina";
import { SignetError } from "../../errors.ts";
import type { SamlMetadata } from "./read-metadata.ts";
import type { ReceivedResponse, VerifiedAssertion } from "./read-response.ts";
import type { SamlResult, SamlTask } from "./saml-worker.ts";
import type { SamlRequest, WrittenRequest } from "./write-request.ts";

/** Reads and writes documents of SAML in a worker thread, so that the event loop never waits for XML or signatures. */
export interface SamlThread {
  readMetadata(bytes: Uint8Array): Promise<SamlResult<SamlMetadata>>;
  writeRequest(request: SamlRequest): Promise<SamlResult<WrittenRequest>>;
  /** Signet's own metadata. */
  writeMetadata(request: Pick<SamlRequest, "serviceProvider" | "key" | "nameIdFormat">): Promise<SamlResult<string>>;
  readResponse(received: ReceivedResponse): Promise<SamlResult<VerifiedAssertion>>;
}

/** A document takes a few milliseconds. Then the thread is replaced. */
const LONGEST_TASK_MS = 5_000;
const MAX_WAITING = 200;

/** Creates the thread on first use. It ends after a minute without work. */
export function createSamlThread(): SamlThread {
  let pool: Piscina | undefined;

  async function run<Value>(task: SamlTask): Promise<SamlResult<Value>> {
    pool ??= new Piscina({
      filename: new URL("./saml-worker.ts", import.meta.url).href,
      name: "runSamlTask",
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    if (pool.queueSize >= MAX_WAITING) {
      throw new SignetError("UNAVAILABLE", "too many documents of SAML wait to be read; try again", {
        retryAfterMs: LONGEST_TASK_MS,
      });
    }
    try {
      return await pool.run(task, { signal: AbortSignal.timeout(LONGEST_TASK_MS) });
    } catch {
      return { ok: false, problem: "could not be processed in time", refusal: undefined };
    }
  }

  return {
    readMetadata: (bytes) => run({ kind: "read metadata", bytes }),
    writeRequest: (request) => run({ kind: "write request", request }),
    writeMetadata: (request) => run({ kind: "write metadata", request }),
    readResponse: (received) => run({ kind: "read response", received }),
  };
}
