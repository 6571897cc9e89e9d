import {
  type DescMethodUnary,
  type DescService,
  getOption,
  hasOption,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { deprecated_since, permission as permissionOption } from "../../gen/signet/v1/options_pb.js";
import { isPermission, type Permission } from "../access/roles.ts";
import type { Call } from "../call.ts";
import type { Problems } from "../errors.ts";
import { checkMessage, warmUpRules } from "../fields/check-message.ts";
import type { RawHeaders } from "../http/exchange.ts";

/** An RPC: what the contract says of it, and what it does. */
export interface Rpc {
  readonly desc: DescMethodUnary;
  /** Such as `signet.v1.ManagementService/ImportHumanUser`. */
  readonly name: string;
  readonly permission: Permission;
  /** Headers of every answer: `deprecation` (RFC 9745) where the method is deprecated. */
  readonly headers: RawHeaders;
  /**
   * Checks the request, and runs the operation.
   *
   * @param request A message of `desc.input`; the answer is one of `desc.output`.
   * @throws SignetError.
   */
  readonly run: (request: Message, call: Call) => Promise<Message>;
}

/**
 * What one RPC does. `check` finds what only code can check, adds it to the problems of the schema, and gives the
 * operation its input; it may assume nothing of the request. Where there are problems, the operation does not run.
 */
export interface Operation<M extends DescMethodUnary, Parts, Input = unknown> {
  readonly check: (request: MessageShape<M["input"]>, problems: Problems) => Input;
  readonly run: (parts: Parts, input: Input, call: Call) => Promise<MessageShape<M["output"]>>;
}

/** An operation for every RPC of a service: one that is missing does not compile. */
export type Operations<S extends DescService, Parts> = {
  readonly [Name in keyof S["method"]]: S["method"][Name] extends DescMethodUnary
    ? // biome-ignore lint/suspicious/noExplicitAny: each operation has an input of its own, which `operation` ties together
      Operation<S["method"][Name], Parts, any>
    : never;
};

/**
 * Implements the RPCs of a service. The rules of the schema, the limits of lists and the operation's own checks are
 * applied before the operation runs, so that none can forget them; all violations are one answer.
 *
 * @throws Error where the contract names no permission, or one that does not exist.
 */
export function implement<S extends DescService, Parts>(
  service: S,
  parts: Parts,
  operations: Operations<S, Parts>,
): Rpc[] {
  return Object.entries(service.method).map(([name, desc]) => {
    if (desc.methodKind !== "unary") throw new Error(`${desc} is not unary`);
    const { check, run } = operations[name as keyof S["method"]] as Operation<DescMethodUnary, Parts>;
    warmUpRules(desc.input);
    const since = getOption(desc, deprecated_since);
    return {
      desc: desc as DescMethodUnary,
      name: `${service.typeName}/${desc.name}`,
      permission: readPermission(desc as DescMethodUnary),
      headers: since > 0n ? ["deprecation", `@${since}`] : [],
      run(request, call) {
        let input: unknown;
        checkMessage(desc.input, request, (problems) => {
          input = check(request, problems);
        });
        return run(parts, input, call);
      },
    };
  });
}

function readPermission(desc: DescMethodUnary): Permission {
  const permission = getOption(desc, permissionOption);
  if (hasOption(desc, permissionOption) && isPermission(permission)) return permission;
  throw new Error(`${desc} names no permission that exists`);
}
