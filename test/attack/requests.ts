import { randomBytes } from "node:crypto";
import type { Field } from "../support/clients/http2-frames.ts";

/** The possible requests, each served by a different part of Signet. */
export const KINDS = ["readyz", "healthz", "page", "rest", "grpc", "connect"] as const;
export type Kind = (typeof KINDS)[number];

export const IMPORT_REST = "/management/v1/users/human/_import";
export const IMPORT_RPC = "/signet.v1.ManagementService/ImportHumanUser";

const GET_PATHS = { readyz: "/readyz", healthz: "/healthz", page: "/ui/init?code=x" } as const;
const POSTS = {
  rest: { path: IMPORT_REST, type: "application/json", body: Buffer.from("{}") },
  grpc: { path: IMPORT_RPC, type: "application/grpc", body: Buffer.alloc(5) },
  connect: { path: IMPORT_RPC, type: "application/json", body: Buffer.from("{}") },
} as const;

/** A request as fields. GET requests have no body. */
export interface AttackRequest {
  readonly fields: readonly Field[];
  readonly body: Buffer | undefined;
}

/** @param token An unknown token by default. */
export function requestOf(kind: Kind, token = unknownToken()): AttackRequest {
  if (kind === "readyz" || kind === "healthz" || kind === "page") {
    return { fields: headOf("GET", GET_PATHS[kind]), body: undefined };
  }
  const { path, type, body } = POSTS[kind];
  const fields: Field[] = [
    ...headOf("POST", path),
    ["content-type", type],
    ["authorization", `Bearer ${token}`],
    ...(kind === "grpc" ? ([["te", "trailers"]] as const) : []),
  ];
  return { fields, body };
}

/** A well-formed token that is unknown to the server. */
export function unknownToken(): string {
  return `signet_pat_${randomBytes(32).toString("hex").slice(0, 43)}`;
}

function headOf(method: string, path: string): Field[] {
  return [
    [":method", method],
    [":scheme", "http"],
    [":path", path],
    [":authority", "localhost"],
  ];
}
