import { type DescMethodUnary, getOption, type Message, type MessageShape } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { deprecated_since, permission } from "../../gen/signet/v1/options_pb.js";
import type { Permission } from "../access/roles.ts";
import type { Call } from "../call.ts";
import { warmUpRules } from "../fields/check-message.ts";
import type { RawHeaders } from "../http/exchange.ts";
import type { createAddOidcIdp } from "../idps/add-oidc-idp.ts";
import type { createAddOrgOidcIdp } from "../idps/add-org-oidc-idp.ts";
import type { createImportHumanUser } from "../users/import-human-user.ts";
import type { createUpdateHumanPhone } from "../users/update-human-phone.ts";

/** What the RPCs do. Each throws SignetError. */
export interface Operations {
  readonly addOidcIdp: ReturnType<typeof createAddOidcIdp>;
  readonly addOrgOidcIdp: ReturnType<typeof createAddOrgOidcIdp>;
  readonly importHumanUser: ReturnType<typeof createImportHumanUser>;
  readonly updateHumanPhone: ReturnType<typeof createUpdateHumanPhone>;
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
