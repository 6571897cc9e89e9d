import { readFileSync } from "node:fs";
import { type Client, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { type Config, ConfigError } from "../config.ts";
import { type Confirm, createConfirm } from "./confirm.ts";
import type { Access } from "./operator-access.ts";
import { UsageError } from "./usage-error.ts";

/** The server whose API a command calls; by default, the API runs in this process, on the configured database. */
export interface ApiOptions {
  /** Origin of the server, from `--url` or SIGNET_URL. */
  readonly url?: string;
  /** File with the token; by default, the token is in SIGNET_TOKEN. */
  readonly tokenFile?: string;
  /** How a server is called. gRPC is for commands that make many calls at once, over one connection. Default: Connect. */
  readonly protocol?: "grpc";
}

export interface JsonOptions extends ApiOptions {
  readonly json: boolean;
}

export interface OrgOptions extends JsonOptions {
  /** Id or name; undefined for the organization of the token, and on the database as the description of `--org` says. */
  readonly org?: string;
}

export interface ObjectOptions extends OrgOptions {
  readonly id: string;
}

/** The API of a server, or of the database. Both get the same requests, and return the same responses and errors. */
export interface Api {
  readonly admin: Client<typeof AdminService>;
  readonly management: Client<typeof ManagementService>;
  readonly auth: Client<typeof AuthService>;
  readonly findOwner: Access["findOwner"];
  readonly instance: Access["instance"];
  readonly eraseRemovedOrgs: Access["eraseRemovedOrgs"];
  readonly readCredentials: Access["readCredentials"];
  /** Whether the permissions of a token apply. */
  readonly isServer: boolean;
}

/**
 * Runs `use` with the API of a server or, without a URL, of the database.
 *
 * @param configuration Reads the configuration of the service, which only the database requires.
 * @throws ConfigError for an error of the API: its message and reason; UsageError for options that do not fit.
 */
export async function withApi<T>(
  configuration: () => Config,
  options: ApiOptions,
  use: (api: Api) => Promise<T>,
): Promise<T> {
  const { url, tokenFile, protocol } = options;
  const isServer = url !== undefined && url !== "";
  const run = ({ transport, ...access }: Access) =>
    use({
      admin: createClient(AdminService, transport),
      management: createClient(ManagementService, transport),
      auth: createClient(AuthService, transport),
      findOwner: access.findOwner,
      instance: access.instance,
      eraseRemovedOrgs: access.eraseRemovedOrgs,
      readCredentials: access.readCredentials,
      isServer,
    });
  try {
    if (isServer) {
      const server = await openServer(url, tokenFile, protocol);
      try {
        return await run(server);
      } finally {
        server.close?.();
      }
    }
    if (tokenFile !== undefined) throw new UsageError("--token-file requires --url or SIGNET_URL");
    const { withOperatorAccess } = await import("./operator-access.ts");
    return await withOperatorAccess(configuration(), run);
  } catch (error) {
    throw error instanceof ConnectError ? new ConfigError(describe(error, url)) : error;
  }
}

/** A command that does nothing without the API; see `withApi`. */
export function apiCommand<Options extends ApiOptions>(
  run: (api: Api, options: Options, configuration: () => Config) => Promise<void>,
) {
  return async (configuration: () => Config, options: Options): Promise<void> =>
    await withApi(configuration, options, (api) => run(api, options, configuration));
}

/**
 * The same for a command that asks before it changes something, unless the answer is given with `--yes`. Without a terminal,
 * it fails before it does anything; see `createConfirm`.
 */
export function confirmedCommand<Options extends ApiOptions>(
  run: (api: Api, options: Options, confirm: Confirm) => Promise<void>,
) {
  return async (configuration: () => Config, options: Options & { readonly yes?: boolean }): Promise<void> => {
    const confirm = createConfirm(options.yes === true);
    await withApi(configuration, options, (api) => run(api, options, confirm));
  };
}

async function openServer(url: string, tokenFile: string | undefined, protocol: "grpc" | undefined): Promise<Access> {
  const baseUrl = readOrigin(url);
  const token = readToken(tokenFile);
  const { createConnectTransport, createGrpcTransport, Http2SessionManager } = await import("@connectrpc/connect-node");
  const authorize: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  const settings = { baseUrl, defaultTimeoutMs: LONGEST_MS, interceptors: [authorize] };
  const findOwner = async () => undefined;
  if (protocol === undefined) {
    return { transport: createConnectTransport({ ...settings, httpVersion: "1.1" }), findOwner };
  }
  const sessionManager = new Http2SessionManager(baseUrl);
  return {
    transport: createGrpcTransport({ ...settings, sessionManager }),
    findOwner,
    close: () => sessionManager.abort(),
  };
}

/** More than the default REQUEST_TIMEOUT_MS, so that the response of the server says what took too long. */
const LONGEST_MS = 30_000;

/** @throws UsageError. */
export function readOrigin(text: string): string {
  const url = URL.parse(text);
  const isOrigin = url?.href === `${url?.origin}/` && /^https?:$/.test(url?.protocol ?? "");
  if (url === null || !isOrigin) {
    throw new UsageError(`--url or SIGNET_URL is invalid: expected the origin of a server, such as ${EXAMPLE}`);
  }
  return url.origin;
}

const EXAMPLE = "https://id.example.com";

function readToken(file: string | undefined): string {
  const { SIGNET_TOKEN: variable = "" } = process.env;
  const token = (file === undefined ? variable : readFileSync(file, "utf8")).trim();
  if (file === undefined && token === "") {
    throw new UsageError(
      "--url and SIGNET_URL require a token, in --token-file or SIGNET_TOKEN; unset SIGNET_URL to use the database",
    );
  }
  // An error for a malformed header would contain the value.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(`${file === undefined ? "SIGNET_TOKEN" : "--token-file"} is invalid: expected one token`);
  }
  return token;
}

/** Without a reason, the error is not one of the API: the connection failed, or something else responded. */
function describe(error: ConnectError, url = ""): string {
  const [info] = error.findDetails(ErrorInfoSchema);
  return info === undefined ? `cannot call ${url}: ${error.rawMessage}` : `${error.rawMessage} (${info.reason})`;
}
