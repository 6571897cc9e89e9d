import {
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  getOption,
  hasOption,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { ObjectDetailsSchema } from "../../gen/signet/v1/object_pb.js";
import { deprecated_since, permission as permissionOption } from "../../gen/signet/v1/options_pb.js";
import { isPermission, isReadPermission, type Permission } from "../access/roles.ts";
import type { Call } from "../call.ts";
import type { Problems } from "../errors.ts";
import { checkMessage } from "../fields/check-message.ts";
import { requireListLimits } from "../fields/list-limits.ts";
import type { RawHeaders } from "../http/exchange.ts";
import { type RunOnceParts, runOnce } from "./run-once.ts";

/** An RPC: its contract and its operation. */
export interface Rpc {
  readonly desc: DescMethodUnary;
  /** Such as `signet.v1.ManagementService/ImportHumanUser`. */
  readonly name: string;
  readonly permission: Permission;
  /** Whether the statement of the operation confirms a remembered caller; see `Operation`. */
  readonly confirmsCaller: boolean;
  /** Headers of every response: `deprecation` (RFC 9745) if the method is deprecated. */
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
 * The operation of one RPC. `check` adds problems that the schema cannot express, and returns the input of the
 * operation; it must not assume that the request is valid. If there is any problem, the operation does not run.
 *
 * `confirmsCaller`: the caller may be one that is remembered from an earlier call, because the first statement of the
 * operation is a command that confirms it (`prepareWrite`). If it does not, the operation runs twice, so this is not for
 * operations that always hash a password.
 */
export interface Operation<M extends DescMethodUnary, Parts, Input = unknown> {
  readonly check: (request: MessageShape<M["input"]>, problems: Problems) => Input;
  readonly run: (parts: Parts, input: Input, call: Call) => Promise<MessageShape<M["output"]>>;
  readonly confirmsCaller?: true;
}

/** An operation for every RPC of a service. A missing one does not compile. */
export type Operations<S extends DescService, Parts> = {
  readonly [Name in keyof S["method"]]: S["method"][Name] extends DescMethodUnary
    ? // biome-ignore lint/suspicious/noExplicitAny: each operation has its own input type, fixed by `operation`
      Operation<S["method"][Name], Parts, any>
    : never;
};

/**
 * Implements the RPCs of a service. Schema rules, list limits and the operation's own checks are applied before the
 * operation runs, so no operation can omit them. One response contains all violations. An RPC changes data unless its
 * permission ends in `.read`; only then does it accept the header `idempotency-key`.
 *
 * @throws Error if the contract names no permission or an unknown one, or if the response of an RPC that changes data
 *   has no `details`.
 */
export function implement<S extends DescService, Parts extends RunOnceParts>(
  service: S,
  parts: Parts,
  operations: Operations<S, Parts>,
): Rpc[] {
  return Object.entries(service.method).map(([name, desc]) => {
    if (!isUnary(desc)) throw new Error(`${desc} is not unary`);
    const {
      check,
      run,
      confirmsCaller = false,
    } = operations[name as keyof S["method"]] as Operation<DescMethodUnary, Parts>;
    requireListLimits(desc.input);
    const since = getOption(desc, deprecated_since);
    const permission = readPermission(desc);
    const rpc = { desc, name: `${service.typeName}/${desc.name}`, permission };
    const isWriting = !isReadPermission(permission);
    if (isWriting) requireDetails(desc);
    return {
      ...rpc,
      confirmsCaller,
      headers: since > 0n ? ["deprecation", `@${since}`] : [],
      async run(request, call) {
        const { idempotencyKey } = call;
        const isRunOnce = isWriting && idempotencyKey !== undefined;
        let input: unknown;
        await checkMessage(desc.input, request, (problems) => {
          input = check(request, problems);
          if (isRunOnce) checkIdempotencyKey(idempotencyKey, problems);
        });
        if (!isRunOnce) return run(parts, input, call);
        return runOnce(parts, { rpc, request, key: idempotencyKey }, call, () => run(parts, input, call));
      },
    };
  });
}

function isUnary(desc: DescMethod): desc is DescMethodUnary {
  return desc.methodKind === "unary";
}

/** 1 to 255 visible ASCII characters. The values of a repeated header arrive joined by a comma and a space. */
function checkIdempotencyKey(key: string, problems: Problems): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return;
  problems.add("idempotency-key", "must appear only once, with 1 to 255 visible ASCII characters and no spaces");
}

function requireDetails(desc: DescMethodUnary): void {
  const { details } = desc.output.field;
  if (details?.message !== ObjectDetailsSchema) throw new Error(`the responses of ${desc} have no details`);
}

function readPermission(desc: DescMethodUnary): Permission {
  const permission = getOption(desc, permissionOption);
  if (hasOption(desc, permissionOption) && isPermission(permission)) return permission;
  throw new Error(`${desc} names no permission that exists`);
}
