import { SamlError } from "./check-xml.ts";
import { readMetadata } from "./read-metadata.ts";
import { type ReceivedResponse, readResponse, SamlRefusal } from "./read-response.ts";
import { type SamlRequest, writeOwnMetadata, writeRequest } from "./write-request.ts";

/** What a thread runs. */
export type SamlTask =
  | { readonly kind: "read metadata"; readonly bytes: Uint8Array }
  | { readonly kind: "write request"; readonly request: SamlRequest }
  | { readonly kind: "write metadata"; readonly request: Parameters<typeof writeOwnMetadata>[0] }
  | { readonly kind: "read response"; readonly received: ReceivedResponse };

/** Classes do not survive the way between threads. */
export type SamlResult<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string; readonly refusal: string | undefined };

/** Runs in a worker thread. */
export async function runSamlTask(task: SamlTask): Promise<SamlResult> {
  try {
    return { ok: true, value: await run(task) };
  } catch (error) {
    // Documents of providers can make the libraries fail in many ways.
    const problem = error instanceof SamlError ? error.message : "could not be processed";
    return { ok: false, problem, refusal: error instanceof SamlRefusal ? error.status : undefined };
  }
}

function run(task: SamlTask): unknown {
  switch (task.kind) {
    case "read metadata":
      return readMetadata(task.bytes);
    case "write request":
      return writeRequest(task.request);
    case "write metadata":
      return writeOwnMetadata(task.request);
    case "read response":
      return readResponse(task.received);
    default:
      return task satisfies never;
  }
}
