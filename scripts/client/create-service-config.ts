import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { isReading } from "../../clients/typescript/src/is-reading.ts";

/** The deadline for all attempts of a call together. */
const TIMEOUT = "15s";

/**
 * The gRPC service config with the documented retries: every method after ABORTED, which changes nothing, and methods that
 * are safe to repeat also after UNAVAILABLE, whose outcome can be unknown. Those are the methods that only read, and those
 * that the contract marks with `idempotency_level = IDEMPOTENT`.
 *
 * @see https://github.com/grpc/proposal/blob/master/A6-client-retries.md
 */
export function createServiceConfig(services: readonly DescService[]): object {
  return {
    methodConfig: [
      {
        name: services.map(({ typeName }) => ({ service: typeName })),
        timeout: TIMEOUT,
        retryPolicy: createPolicy(["ABORTED"]),
      },
      {
        name: services.flatMap(({ methods, typeName }) =>
          methods.filter(isRepeatable).map(({ name }) => ({ service: typeName, method: name })),
        ),
        timeout: TIMEOUT,
        retryPolicy: createPolicy(["ABORTED", "UNAVAILABLE"]),
      },
      // Streams have no deadline, and the caller continues them at the position of the last response.
      {
        name: services.flatMap(({ methods, typeName }) =>
          methods.filter(isStreaming).map(({ name }) => ({ service: typeName, method: name })),
        ),
      },
    ],
    retryThrottling: { maxTokens: 20, tokenRatio: 0.1 },
  };
}

function isStreaming({ methodKind }: DescMethod): boolean {
  return methodKind !== "unary";
}

function isRepeatable(method: DescMethod): boolean {
  if (isStreaming(method)) return false;
  return isReading(method) || method.idempotency === MethodOptions_IdempotencyLevel.IDEMPOTENT;
}

/** Delays of 0.2, 0.6 and 1.8 s, which the client randomizes. */
function createPolicy(retryableStatusCodes: readonly string[]): object {
  return { maxAttempts: 4, initialBackoff: "0.2s", maxBackoff: "5s", backoffMultiplier: 3, retryableStatusCodes };
}
