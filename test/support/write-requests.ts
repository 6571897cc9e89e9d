import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { createTestApp } from "./apps.ts";
import type { WriteRpc } from "./callers.ts";
import { addIdpLink, addPasskey } from "./credentials.ts";
import { HUMAN, IDP, PASSWORD } from "./requests.ts";
import type { TestService } from "./service.ts";

/** What a request refers to. */
export interface Target {
  readonly orgId: string;
  /** A human user of the organization. */
  readonly humanId: string;
  /** Whether the call succeeds. Otherwise, nothing is created for it. */
  readonly succeeds: boolean;
}

/**
 * Creates a function that returns a request which succeeds where the caller has the permission. Calls that permanently
 * change an object get a separate one.
 *
 * @param idpId A provider of the instance.
 */
export function createWriteRequests(service: TestService, idpId: string) {
  let count = 0;

  /** A provider in the state that the RPC needs. */
  async function newIdpFor(rpc: WriteRpc, ownerId: string): Promise<string> {
    const id = randomUUID();
    const at = new Date(0);
    const values = {
      ...{ owner_id: ownerId, id, sequence: 1n, created_at: at, changed_at: at, name: "Example", styling_type: 0 },
      ...{ client_id: "c", client_secret: Buffer.alloc(30), client_secret_key: service.keyring.currentKeyId },
      ...{ issuer: IDP.issuer, scopes: [], display_name_mapping: 0, username_mapping: 0, auto_register: false },
    };
    const state = rpc === "ReactivateIDP" || rpc === "ReactivateOrgIDP" ? "inactive" : "active";
    await service.db
      .insertInto("idps")
      .values({ ...values, state })
      .execute();
    return id;
  }

  async function newAppId(orgId: string, state: "active" | "inactive" = "active"): Promise<string> {
    const { appId } = await createTestApp(service, orgId);
    if (state === "inactive") await service.db.updateTable("apps").set({ state }).where("id", "=", appId).execute();
    return appId;
  }

  /** A user in the state that the RPC needs. */
  async function newUserFor(rpc: WriteRpc, orgId: string): Promise<string> {
    const human = {
      kind: "human",
      first_name: "Ada",
      last_name: "L",
      display_name: "Ada",
      gender: 0,
      email: "a@b.example",
    };
    const starts: Partial<Record<WriteRpc, object>> = {
      ReactivateUser: { state: "inactive" },
      UnlockUser: { state: "locked" },
      RemoveHumanPhone: { ...human, phone: "+41791234567" },
      ResendHumanPhoneVerification: { ...human, phone: "+41791234567" },
      ResendHumanInitialization: { ...human, initialized: false },
      SendHumanResetPasswordNotification: { ...human, email_verified: true },
      RemoveHumanPasswordless: human,
      RemoveHumanLinkedIDP: human,
    };
    const isMember = rpc === "UpdateOrgMember" || rpc === "RemoveOrgMember";
    const { userId } = await service.createToken({ orgId, ...(isMember && { role: "ORG_VIEWER" }) });
    const start = starts[rpc];
    if (start) await service.db.updateTable("users").set(start).where("id", "=", userId).execute();
    if (rpc === "RemoveHumanPasswordless") await addPasskey(service, { orgId, userId, id: service.adminId });
    if (rpc === "RemoveHumanLinkedIDP") {
      await addIdpLink(service, { orgId, userId, idpId, idpOwnerId: service.instanceId, externalUserId: userId });
    }
    return userId;
  }

  return async (rpc: WriteRpc, { orgId, humanId, succeeds }: Target): Promise<JsonObject> => {
    const newId = async () => (succeeds ? newUserFor(rpc, orgId) : humanId);
    const newIdpId = async () => (succeeds ? newIdpFor(rpc, isOfInstance(rpc) ? service.instanceId : orgId) : humanId);
    switch (rpc) {
      case "AddOIDCIDP":
      case "AddOrgOIDCIDP":
        return IDP;
      case "ImportHumanUser":
        return { userName: `ada-${++count}`, ...HUMAN };
      case "UpdateHumanPhone":
        return { userId: humanId, phone: "+41791234567" };
      case "UpdateHumanProfile":
        return { userId: humanId, firstName: `Ada ${++count}`, lastName: "Lovelace" };
      case "UpdateHumanEmail":
        return { userId: humanId, email: "ada@example.com" };
      case "SetHumanPassword":
        return { userId: humanId, password: PASSWORD };
      case "AddPasswordlessRegistration":
        return { userId: humanId };
      case "RemoveHumanPasswordless":
        return { userId: await newId(), tokenId: service.adminId };
      case "RemoveHumanLinkedIDP": {
        const userId = await newId();
        return { userId, idpId, linkedUserId: userId };
      }
      case "SendHumanResetPasswordNotification":
      case "RemoveHumanPhone":
      case "ResendHumanInitialization":
      case "ResendHumanPhoneVerification":
        return { userId: await newId() };
      case "DeactivateUser":
      case "ReactivateUser":
      case "LockUser":
      case "UnlockUser":
      case "RemoveUser":
        return { id: await newId() };
      case "UpdateIDP":
      case "UpdateOrgIDP":
        return { idpId: await newIdpId(), name: "Renamed" };
      case "UpdateIDPOIDCConfig":
      case "UpdateOrgIDPOIDCConfig":
        return { idpId: await newIdpId(), clientId: "other", issuer: IDP.issuer };
      case "DeactivateIDP":
      case "ReactivateIDP":
      case "RemoveIDP":
      case "DeactivateOrgIDP":
      case "ReactivateOrgIDP":
      case "RemoveOrgIDP":
        return { idpId: await newIdpId() };
      case "AddOrgMember":
      case "UpdateOrgMember":
        return { userId: await newId(), roles: ["ORG_USER_MANAGER"] };
      case "RemoveOrgMember":
        return { userId: await newId() };
      case "AddOIDCApp":
        return { name: "Shop", redirectUris: ["https://shop.example/signed-in"] };
      case "UpdateOIDCAppConfig":
        return { appId: await newAppId(orgId), redirectUris: ["https://shop.example/other"] };
      case "RegenerateOIDCClientSecret":
      case "DeactivateApp":
      case "RemoveApp":
        return { appId: await newAppId(orgId) };
      case "ReactivateApp":
        return { appId: await newAppId(orgId, "inactive") };
      default:
        return rpc satisfies never;
    }
  };
}

/** Whether the RPC changes the instance. */
export function isOfInstance(rpc: WriteRpc): boolean {
  return AdminService.methods.some(({ name }) => name === rpc);
}
