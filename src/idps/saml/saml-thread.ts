import { createDocumentThread } from "../../document-thread.ts";
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

/** Creates the thread on first use. It ends after a minute without work. */
export function createSamlThread(): SamlThread {
  const thread = createDocumentThread<SamlTask, SamlResult>({
    file: new URL("./saml-worker.ts", import.meta.url),
    name: "runSamlTask",
    waiting: "documents of SAML",
  });

  async function run<Value>(task: SamlTask): Promise<SamlResult<Value>> {
    const result = await thread.run(task);
    return result === undefined
      ? { ok: false, problem: "could not be processed in time", refusal: undefined }
      : (result as SamlResult<Value>);
  }

  return {
    readMetadata: (bytes) => run({ kind: "read metadata", bytes }),
    writeRequest: (request) => run({ kind: "write request", request }),
    writeMetadata: (request) => run({ kind: "write metadata", request }),
    readResponse: (received) => run({ kind: "read response", received }),
  };
}
