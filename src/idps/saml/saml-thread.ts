import { createDocumentThread, type DocumentThread } from "../../document-thread.ts";
import { isLargeResponse } from "./large-response.ts";
import type { SamlMetadata } from "./read-metadata.ts";
import type { ReceivedResponse, VerifiedAssertion } from "./read-response.ts";
import type { SamlResult, SamlTask } from "./saml-worker.ts";
import type { SamlRequest, WrittenRequest } from "./write-request.ts";

/** Reads and writes documents of SAML in worker threads, so that the event loop never waits for XML or signatures. */
export interface SamlThread {
  readMetadata(bytes: Uint8Array): Promise<SamlResult<SamlMetadata>>;
  writeRequest(request: SamlRequest): Promise<SamlResult<WrittenRequest>>;
  /** Signet's own metadata. */
  writeMetadata(request: Pick<SamlRequest, "serviceProvider" | "key" | "nameIdFormat">): Promise<SamlResult<string>>;
  /** @param network The browser's. A large response takes seconds in the worst case, and a network has two at a time. */
  readResponse(received: ReceivedResponse, network: string): Promise<SamlResult<VerifiedAssertion>>;
}

/**
 * Creates the threads on first use. They end after a minute without work. The metadata that administrators send have a
 * thread of their own, and so have large responses, so that no other sign-in waits for them.
 */
export function createSamlThread(): SamlThread {
  const metadata = createThread("metadata of SAML");
  const signIns = createThread("documents of SAML");
  const large = createThread("large documents of SAML", { longestTaskMs: 20_000, maxOfOwner: 2 });
  return {
    readMetadata: (bytes) => run(metadata, { kind: "read metadata", bytes }),
    writeRequest: (request) => run(signIns, { kind: "write request", request }),
    writeMetadata: (request) => run(signIns, { kind: "write metadata", request }),
    readResponse: (received, network) =>
      run(isLargeResponse(received.response) ? large : signIns, { kind: "read response", received }, network),
  };
}

type Thread = DocumentThread<SamlTask, SamlResult>;

function createThread(waiting: string, limits: { longestTaskMs?: number; maxOfOwner?: number } = {}): Thread {
  const file = new URL("./saml-worker.ts", import.meta.url);
  return createDocumentThread<SamlTask, SamlResult>({ file, name: "runSamlTask", waiting, ...limits });
}

async function run<Value>(thread: Thread, task: SamlTask, owner?: string): Promise<SamlResult<Value>> {
  const result = await thread.run(task, owner);
  return result === undefined
    ? { ok: false, problem: "could not be processed in time", refusal: undefined }
    : (result as SamlResult<Value>);
}
