import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  getOption,
  hasOption,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { http } from "../../gen/google/api/annotations_pb.js";
import type { ListDetails as ListDetailsMessage } from "../../gen/signet/v1/list_pb.js";
import { ObjectDetailsSchema } from "../../gen/signet/v1/object_pb.js";
import {
  deprecated_since,
  permission as permissionOption,
  read_only,
  successor,
} from "../../gen/signet/v1/options_pb.js";
import type { Call } from "../call.ts";
import type { Problems } from "../errors.ts";
import type { ObjectDetails } from "../events/object-details.ts";
import type { ListDetails } from "../fields/list-query.ts";
import type { RawHeaders } from "../http/exchange.ts";
import { AUTHENTICATED, isPermission, isReadPermission, type Requirement } from "../roles.ts";
import { toListMessage, toObjectMessage } from "./messages/details.ts";
import { checkMessage } from "./rules/check-message.ts";
import { requireListLimits } from "./rules/list-limits.ts";
import { type IdempotencyParts, runIdempotently } from "./run-idempotently.ts";

/** An RPC: its contract and its operation. */
export interface Rpc {
  readonly desc: DescMethodUnary;
  /** Such as `signet.v1.ManagementService/ImportHumanUser`. */
  readonly name: string;
  readonly permission: Requirement;
  /** Whether the statement of the operation confirms a remembered caller; see `Operation`. */
  readonly confirmsCaller: boolean;
  /** Headers of every response, if the method is deprecated: `deprecation` (RFC 9745), and `link` to its successor. */
  readonly headers: RawHeaders;
  /**
   * Checks the request, and runs the operation.
   *
   * @param request A message of `desc.input`; the response is one of `desc.output`.
   * @throws SignetError.
   */
  readonly run: (request: Message, call: Call) => Promise<Message>;
}

/**
 * How an RPC runs an operation. Made by `rpc`, which checks that its parts fit together.
 *
 * @typeParam Response The fields of the response; its `details` are those of a result.
 */
interface Operation<Request, Parts, Response> {
  readonly check: (request: Request, problems: Problems, schema: DescMessage) => unknown;
  readonly run: (parts: Parts, fields: never, call: Call) => Promise<unknown>;
  readonly respond: (result: never, call: Call, request: Request) => Response;
  readonly ownerOf: OwnerOf | undefined;
  readonly confirmsCaller: boolean;
  readonly hashesPassword: (request: Request) => boolean;
}

/**
 * Returns the resource owner in the details of a stored response, which does not contain them.
 *
 * @param response The rest of the response.
 */
type OwnerOf = (response: object, request: Message) => string;

interface OperationOptions<Request, Fields, Result, Response> {
  /**
   * Adds the problems that the schema cannot express, and returns the fields for the operation. It must not assume that
   * the request is valid; if there is any problem, the operation does not run. By default, the request has the fields.
   *
   * @param schema The schema of the request.
   */
  readonly check?: (request: Request, problems: Problems, schema: DescMessage) => Fields;
  /** Converts the result to the fields of the response. By default, it has them. */
  readonly respond?: (result: Result, call: Call, request: Request) => Response;
  /** By default, the instance for a permission on the instance, otherwise the organization of the call. */
  readonly ownerOf?: (response: Response, request: Request) => string;
  /**
   * The caller may be one that is remembered from an earlier call, because all statements of the operation are commands
   * (`RunTogether`), which confirm it. If one of them does not, it has changed nothing, and the operation runs again for
   * the caller as found, so this is not for operations that always hash a password.
   */
  readonly confirmsCaller?: boolean;
  /**
   * Whether an operation that confirms its caller hashes a password for the request. By default, it never does. The response
   * to a repeated call is then looked up before the operation runs.
   */
  readonly hashesPassword?: (request: Request) => boolean;
}

/** Describes how an RPC runs an operation, which knows nothing of messages. */
export function rpc<Parts, Fields, Result, Request = Fields, Response = Result>(
  run: (parts: Parts, fields: Fields, call: Call) => Promise<Result>,
  {
    check = (request) => request as unknown as Fields,
    respond = (result) => result as unknown as Response,
    ownerOf,
    confirmsCaller = false,
    hashesPassword = () => false,
  }: OperationOptions<Request, NoInfer<Fields>, NoInfer<Result>, Response> = {},
): Operation<NoInfer<Request>, Parts, NoInfer<Response>> {
  return { run, check, respond, ownerOf: ownerOf as OwnerOf | undefined, confirmsCaller, hashesPassword };
}

/** The fields of a response, with the `details` of a result. */
type ResponseFields<D extends DescMessage> = Omit<Exclude<MessageInitShape<D>, MessageShape<D>>, "details"> & {
  readonly details?: MessageShape<D> extends { details?: ListDetailsMessage | undefined } ? ListDetails : ObjectDetails;
};

/**
 * An operation for every unary RPC of a service. A missing one does not compile. See `streams` and `createBulkImport` for
 * the others.
 */
type Operations<S extends DescService, Parts> = {
  readonly [Name in keyof S["method"] as S["method"][Name] extends DescMethodUnary
    ? Exclude<Name, Composed>
    : never]: S["method"][Name] extends DescMethodUnary
    ? Operation<MessageShape<S["method"][Name]["input"]>, Parts, ResponseFields<S["method"][Name]["output"]>>
    : never;
};

/** RPCs that run another one several times. */
type Composed = "bulkImportHumanUsers";

/**
 * Implements the RPCs of a service. Schema rules, list limits and the operation's own checks are applied before the
 * operation runs, so no operation can omit them. One response contains all violations. An RPC accepts the header
 * `idempotency-key` unless the contract calls it `read_only`.
 *
 * @throws Error if the contract names no permission, an unknown one, or one to read for an RPC that changes data, or if
 *   the response of an RPC that changes data has no `details`.
 */
export function implement<S extends DescService, Parts extends IdempotencyParts>(
  service: S,
  parts: Parts,
  operations: Operations<S, Parts>,
): Rpc[] {
  return Object.entries(service.method).flatMap(([name, desc]) => {
    if (!isUnary(desc) || !(name in operations)) return [];
    requireListLimits(desc.input);
    const permission = readPermission(desc);
    if (!getOption(desc, read_only)) requireWriting(desc, permission);
    // The type of `operations` has checked that the operation fits the RPC.
    const operation = operations[name as keyof typeof operations] as unknown as RpcOperation<Parts>;
    const rpc = { desc, name: `${service.typeName}/${desc.name}`, permission };
    return {
      ...rpc,
      confirmsCaller: operation.confirmsCaller,
      headers: deprecationOf(desc),
      run: createRun(rpc, operation, parts),
    };
  });
}

type RpcOperation<Parts> = Operation<Message, Parts, ResponseWithDetails>;

function createRun<Parts extends IdempotencyParts>(
  rpc: Pick<Rpc, "desc" | "name" | "permission">,
  { check, run, respond, ownerOf, confirmsCaller, hashesPassword }: RpcOperation<Parts>,
  parts: Parts,
): Rpc["run"] {
  const { desc } = rpc;
  const isReadOnly = getOption(desc, read_only);
  const toResponse = (result: unknown, call: Call, request: Message) =>
    createResponse(desc, respond(result as never, call, request));
  const looksUpFirst = (request: Message) => !confirmsCaller || hashesPassword(request);
  const writing = { ...rpc, looksUpFirst, toResponse, ownerOf };
  return async (request, call) => {
    const { idempotencyKey: key } = call;
    // A key belongs to a user, and an operator is none.
    const isIdempotent = !isReadOnly && key !== undefined && call.kind === "principal";
    const fields = await checkMessage(desc.input, request, (problems) => {
      const checked = check(request, problems, desc.input);
      if (isIdempotent && !isIdempotencyKey(key)) problems.add("idempotency-key", KEY_RULE);
      return checked;
    });
    const runNow = async (current: Call) => toResponse(await run(parts, fields as never, current), current, request);
    if (!isIdempotent) return await runNow(call);
    return await runIdempotently(parts, { rpc: writing, request, key }, call, runNow);
  };
}

interface ResponseWithDetails {
  readonly details?: ObjectDetails | ListDetails | undefined;
}

function createResponse(desc: DescMethodUnary, { details, ...fields }: ResponseWithDetails): Message {
  if (details === undefined) return create(desc.output, fields);
  const message = "totalResult" in details ? toListMessage(details) : toObjectMessage(details);
  return create(desc.output, { ...fields, details: message });
}

function isUnary(desc: DescMethod): desc is DescMethodUnary {
  return desc.methodKind === "unary";
}

/** RFC 9745, section 3.1, and RFC 5829, section 3.4. */
function deprecationOf(desc: DescMethod): RawHeaders {
  const since = getOption(desc, deprecated_since);
  if (since === 0n) return [];
  const next = desc.parent.methods.find(({ name }) => name === getOption(desc, successor));
  const path = next && getOption(next, http).pattern.value;
  if (typeof path !== "string") throw new Error(`${desc} names no successor with a route`);
  return ["deprecation", `@${since}`, "link", `<${path}>; rel="successor-version"`];
}

/** The values of a repeated header arrive joined by a comma and a space. */
export function isIdempotencyKey(key: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(key);
}

/** For the header. */
export const KEY_RULE = "must appear only once, with 1 to 255 visible ASCII characters and no spaces";

function requireWriting(desc: DescMethodUnary, permission: Requirement): void {
  if (isReadPermission(permission)) throw new Error(`${desc} changes data with the permission ${permission}`);
  const { details } = desc.output.field;
  if (details?.message !== ObjectDetailsSchema) throw new Error(`the responses of ${desc} have no details`);
}

/** The permission that an RPC requires. Throws an Error if the contract names none, or an unknown one. */
export function readPermission(desc: DescMethod): Requirement {
  const permission = getOption(desc, permissionOption);
  if (!hasOption(desc, permissionOption)) throw new Error(`${desc} names no permission`);
  if (permission === AUTHENTICATED || isPermission(permission)) return permission;
  throw new Error(`${desc} names a permission that does not exist`);
}
