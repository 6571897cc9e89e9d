import { type DescMessage, type DescMethodUnary, getOption, type Message, type MessageShape } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { deprecated_since, permission } from "../../gen/signet/v1/options_pb.js";
import type { Permission } from "../access/roles.ts";
import type { Call } from "../call.ts";
import type { Problems, Violation } from "../errors.ts";
import { checkMessage, warmUpRules } from "../fields/check-message.ts";
import type { RawHeaders } from "../http/exchange.ts";
import { addOidcIdp } from "../idps/add-oidc-idp.ts";
import { addOrgOidcIdp } from "../idps/add-org-oidc-idp.ts";
import { checkOidcIdp } from "../idps/oidc-idp.ts";
import { checkImportHumanUser } from "../users/check-import-human-user.ts";
import { type ImportHumanUserParts, importHumanUser } from "../users/import-human-user.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "../users/update-human-phone.ts";

type Run<D extends DescMethodUnary> = (
  request: MessageShape<D["input"]>,
  call: Call,
) => Promise<MessageShape<D["output"]>>;

/** The RPCs. Each throws SignetError. */
export interface Operations {
  readonly addOidcIdp: Run<typeof AdminService.method.addOIDCIDP>;
  readonly addOrgOidcIdp: Run<typeof ManagementService.method.addOrgOIDCIDP>;
  readonly importHumanUser: Run<typeof ManagementService.method.importHumanUser>;
  readonly updateHumanPhone: Run<typeof ManagementService.method.updateHumanPhone>;
}

/** The operations on a database: each checks its request first. */
export function createOperations(parts: ImportHumanUserParts): Operations {
  const { addOIDCIDP } = AdminService.method;
  const { addOrgOIDCIDP, importHumanUser: importMethod, updateHumanPhone: updateMethod } = ManagementService.method;
  return {
    addOidcIdp: checked(addOIDCIDP.input, checkOidcIdp, (idp, call) => addOidcIdp(parts, idp, call)),
    addOrgOidcIdp: checked(addOrgOIDCIDP.input, checkOidcIdp, (idp, call) => addOrgOidcIdp(parts, idp, call)),
    importHumanUser: checked(importMethod.input, checkImportHumanUser, (human, call) =>
      importHumanUser(parts, human, call),
    ),
    updateHumanPhone: checked(updateMethod.input, checkUpdateHumanPhone, (change, call) =>
      updateHumanPhone(parts, change, call),
    ),
  };
}

/** Runs the rules of the schema and those of the operation, and then the operation. */
function checked<D extends DescMessage, Input, Output>(
  schema: D,
  check: (request: MessageShape<D>, problems: Problems) => Input,
  run: (input: Input, call: Call) => Promise<Output>,
) {
  return async (request: MessageShape<D>, call: Call): Promise<Output> => {
    const inputs: Input[] = [];
    checkMessage(schema, request, () => {
      const violations: Violation[] = [];
      inputs.push(check(request, { add: (field, description) => violations.push({ field, description }) }));
      return violations;
    });
    return await run(inputs[0] as Input, call);
  };
}

/** An RPC: what the contract says of it, and what it does. */
export interface RpcMethod {
  readonly desc: DescMethodUnary;
  /** Such as `signet.v1.ManagementService/ImportHumanUser`. */
  readonly name: string;
  readonly permission: Permission;
  /** Headers of every answer: `deprecation` (RFC 9745) where the method is deprecated. */
  readonly headers: RawHeaders;
  /** The request is a message of `desc.input`, the answer one of `desc.output`. */
  readonly run: (request: Message, call: Call) => Promise<Message>;
}

export function createRpcMethods(operations: Operations): RpcMethod[] {
  return [
    toRpcMethod(AdminService.method.addOIDCIDP, operations.addOidcIdp),
    toRpcMethod(ManagementService.method.addOrgOIDCIDP, operations.addOrgOidcIdp),
    toRpcMethod(ManagementService.method.importHumanUser, operations.importHumanUser),
    toRpcMethod(ManagementService.method.updateHumanPhone, operations.updateHumanPhone),
  ];
}

/** Reads what the contract says once, and compiles the rules of the request. */
function toRpcMethod<D extends DescMethodUnary>(
  desc: D,
  run: (request: MessageShape<D["input"]>, call: Call) => Promise<MessageShape<D["output"]>>,
): RpcMethod {
  warmUpRules(desc.input);
  const since = getOption(desc, deprecated_since);
  return {
    desc,
    name: `${desc.parent.typeName}/${desc.name}`,
    permission: getOption(desc, permission) as Permission,
    headers: since > 0n ? ["deprecation", `@${since}`] : [],
    run: (request, call) => run(request as MessageShape<D["input"]>, call),
  };
}
