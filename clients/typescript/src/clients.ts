import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { AdminService } from "../../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import { createHeaders } from "./headers.ts";
import type { SignetOptions } from "./options.ts";
import { createRetry } from "./retry.ts";

/** The calls of the API, with one method for each. They throw a `ConnectError`; `readError` decodes it. */
export interface SignetClient {
  /** Calls that concern the instance. */
  readonly admin: Client<typeof AdminService>;
  /** Calls about the caller: its user, memberships and permissions. */
  readonly auth: Client<typeof AuthService>;
  /** Calls that concern one organization. */
  readonly management: Client<typeof ManagementService>;
}

export function createClients(transport: Transport): SignetClient {
  return {
    admin: createClient(AdminService, transport),
    auth: createClient(AuthService, transport),
    management: createClient(ManagementService, transport),
  };
}

/** The common part of the transports for Node and browsers. */
export function toTransportOptions(options: SignetOptions): {
  baseUrl: string;
  defaultTimeoutMs: number;
  interceptors: Interceptor[];
} {
  const { baseUrl, timeoutMs = 15_000, retry, interceptors = [] } = options;
  const retries = retry === false ? [] : [createRetry(retry)];
  return {
    baseUrl,
    defaultTimeoutMs: timeoutMs,
    interceptors: [createHeaders(options), ...retries, ...interceptors],
  };
}
