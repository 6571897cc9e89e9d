import type { DescFile, DescService } from "@bufbuild/protobuf";
import { Code, type ConnectRouter } from "@connectrpc/connect";
import {
  type ServerReflectionRequest,
  ServerReflection as ServerReflectionV1,
} from "../../../gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionV1Alpha } from "../../../gen/grpc/reflection/v1alpha/reflection_pb.js";
import { countMessage } from "../streams/stream-key.ts";
import { createDescriptorIndex, type DescriptorIndex } from "./descriptor-index.ts";

/** The reflection services themselves, which reflection lists too. */
export const REFLECTION_SERVICES: readonly DescService[] = [ServerReflectionV1, ServerReflectionV1Alpha];

/**
 * Adds gRPC server reflection, v1 and v1alpha (grpc/doc/server-reflection.md), for the public contract of `services`.
 */
export function addReflection(router: ConnectRouter, services: readonly DescService[]): void {
  let index: DescriptorIndex | undefined;
  const openResponder = () => {
    index ??= createDescriptorIndex(services);
    return createResponder(index, services);
  };
  for (const service of REFLECTION_SERVICES) {
    // The messages of both versions have the same fields.
    router.service(service as typeof ServerReflectionV1, {
      async *serverReflectionInfo(requests, { values }) {
        const respond = openResponder();
        for await (const originalRequest of requests) {
          countMessage(values);
          yield { validHost: originalRequest.host, originalRequest, messageResponse: respond(originalRequest) };
        }
      },
    });
  }
}

/** Responds to the requests of one stream. */
function createResponder(index: DescriptorIndex, services: readonly DescService[]) {
  /** Files that the client already has: reflection.proto allows omitting them. */
  const sent = new Set<DescFile>();

  return ({ messageRequest }: ServerReflectionRequest) => {
    switch (messageRequest.case) {
      case "listServices":
        return {
          case: "listServicesResponse" as const,
          value: { service: services.map(({ typeName }) => ({ name: typeName })) },
        };
      case "fileByFilename":
        return fileResponse(index.findFile(messageRequest.value), "file");
      case "fileContainingSymbol":
        return fileResponse(index.findSymbol(messageRequest.value), "symbol");
      case "fileContainingExtension": {
        const { containingType, extensionNumber } = messageRequest.value;
        return fileResponse(index.findExtension(containingType, extensionNumber), "extension");
      }
      case "allExtensionNumbersOfType":
        return numbersResponse(messageRequest.value, index.extensionNumbers(messageRequest.value));
      case undefined:
        return errorResponse(Code.InvalidArgument, "the request has no field that this server supports");
      default:
        return messageRequest satisfies never;
    }
  };

  /** The file and its direct and indirect imports, without files that the client already has. */
  function fileResponse(file: DescFile | undefined, what: string) {
    if (file === undefined) return notFound(what);
    const files = new Set([file]);
    for (const each of files) for (const imported of each.dependencies) if (!sent.has(imported)) files.add(imported);
    for (const each of files) sent.add(each);
    const value = { fileDescriptorProto: [...files].map(index.bytesOf) };
    return { case: "fileDescriptorResponse" as const, value };
  }
}

function numbersResponse(baseTypeName: string, extensionNumber: number[] | undefined) {
  if (extensionNumber === undefined) return notFound("message");
  return { case: "allExtensionNumbersResponse" as const, value: { baseTypeName, extensionNumber } };
}

function notFound(what: string) {
  return errorResponse(Code.NotFound, `the server has no such ${what}`);
}

function errorResponse(errorCode: Code, errorMessage: string) {
  return { case: "errorResponse" as const, value: { errorCode, errorMessage } };
}
