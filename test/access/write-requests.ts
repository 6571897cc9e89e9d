import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { requestExample } from "../../scripts/openapi/create-examples.ts";
import { BUILT_IN_LABEL } from "../../src/branding/label-settings.ts";
import { PROVIDER_KINDS } from "../../src/rpc/provider-kinds.ts";
import { addScimConnection } from "../../src/scim/connections/change-scim-connection.ts";
import { isProviderRpc, kindOf, PROVIDERS } from "../idps/provider-requests.ts";
import { PNG } from "../support/branding.ts";
import { isAdmin, methodOf, type WriteRpc } from "../support/clients/callers.ts";
import { HUMAN, IDP, PASSWORD } from "../support/clients/requests.ts";
import { addIdpLink, addPasskey } from "../support/databases/credentials.ts";
import { MESSAGE_TEXT } from "../support/message-text.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { ofOperator } from "../support/operations/principal.ts";
import type { TestService } from "../support/servers/service.ts";
import { createTestPasswordHook } from "../support/webhooks/password-hook.ts";
import { createTestWebhook } from "../support/webhooks/webhook.ts";

const WEBHOOK = { name: "CRM", url: "https://crm.example.com/signet" };

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
 * change an object get a separate one. By default, a request is the example in the OpenAPI document.
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
    const kindName = kindOf(rpc);
    const kind = Object.entries(PROVIDER_KINDS).find(([, { add }]) => add === `add${kindName}Provider`);
    const state = rpc === "ReactivateIDP" || rpc === "ReactivateOrgIDP" ? "inactive" : "active";
    await service.db
      .insertInto("idps")
      .values({ ...values, state, ...(kind && { kind: kind[0], config: {} }) })
      .execute();
    return id;
  }

  async function newAppId(orgId: string, state: "active" | "inactive" = "active"): Promise<string> {
    const { appId } = await createTestApp(service, orgId, { roles: ["editor"] });
    if (state === "inactive") await service.db.updateTable("apps").set({ state }).where("id", "=", appId).execute();
    return appId;
  }

  const human = {
    kind: "human",
    first_name: "Ada",
    last_name: "L",
    display_name: "Ada",
    gender: 0,
    email: "a@b.example",
  };
  /** The columns of a user in the state that the RPC needs. */
  const starts: Partial<Record<WriteRpc, object>> = {
    ReactivateUser: { state: "inactive" },
    UnlockUser: { state: "locked" },
    RemoveHumanPhone: { ...human, phone: "+41791234567" },
    ResendHumanPhoneVerification: { ...human, phone: "+41791234567" },
    ResendHumanInitialization: { ...human, initialized: false },
    SendHumanResetPasswordNotification: { ...human, email_verified: true },
    RemoveHumanPasswordless: human,
    RemoveHumanAuthFactorOTP: { ...human, otp_code: Buffer.from("code"), otp_code_key: service.keyring.currentKeyId },
    RemoveHumanLinkedIDP: human,
    AddHumanLinkedIDP: human,
    RetryUserMessage: human,
  };

  /** A user in the state that the RPC needs. */
  async function newUserFor(rpc: WriteRpc, orgId: string): Promise<string> {
    const isMember = rpc === "UpdateOrgMember" || rpc === "RemoveOrgMember";
    const isIamMember = rpc === "UpdateIAMMember" || rpc === "RemoveIAMMember";
    const { userId } = await service.createToken({
      orgId,
      ...(isMember && { role: "ORG_VIEWER" }),
      ...(isIamMember && { role: "INSTANCE_VIEWER" }),
    });
    const start = starts[rpc];
    if (start) await service.db.updateTable("users").set(start).where("id", "=", userId).execute();
    if (rpc === "RemoveHumanPasswordless") await addPasskey(service, { orgId, userId, id: service.adminId });
    if (rpc === "RemoveHumanLinkedIDP") {
      await addIdpLink(service, { orgId, userId, idpId, idpOwnerId: service.instanceId, externalUserId: userId });
    }
    return userId;
  }

  async function newApi(orgId: string): Promise<string> {
    const [id, at] = [randomUUID(), new Date(0)];
    const row = { owner_id: orgId, id, sequence: 1n, created_at: at, changed_at: at };
    await service.db
      .insertInto("apis")
      .values({
        ...{ ...row, name: "Orders", identifier: `urn:example:${id}`, scopes: [], introspector_app_ids: [] },
        allows_unregistered_clients: false,
      })
      .execute();
    return id;
  }

  async function newScimConnection(orgId: string): Promise<string> {
    const links = { linkAttribute: 1, linkPath: null, idpId: null, groupAppId: null };
    const settings = { name: "Directory", addressRule: 1, ...links, isTrial: false };
    const { id, token } = await addScimConnection(service, settings, ofOperator(orgId));
    service.secret(token);
    return id;
  }

  async function giveRole(orgId: string, userId: string, appId: string): Promise<void> {
    const ids = { org_id: orgId, user_id: userId, app_id: appId };
    await service.db
      .insertInto("user_app_roles")
      .values({ ...ids, role: "editor", sequence: 1n, created_at: new Date(0) })
      .execute();
  }

  async function newUserWithMetadata(orgId: string): Promise<string> {
    const { userId } = await service.createToken({ orgId });
    const at = new Date(0);
    const value = { key: "plan", value: Buffer.from("gold"), sequence: 1n, created_at: at, changed_at: at };
    await service.db
      .insertInto("user_metadata")
      .values({ org_id: orgId, user_id: userId, ...value })
      .execute();
    return userId;
  }

  /** A domain in the state that the RPC needs. */
  async function newDomainFor(rpc: WriteRpc, orgId: string): Promise<string> {
    const name = `domain-${++count}.example`;
    const token = randomUUID();
    const at = new Date(0);
    service.dns.records.set(`_signet-challenge.${name}`, [token]);
    await service.db
      .insertInto("org_domains")
      .values({
        org_id: orgId,
        name,
        sequence: 1n,
        created_at: at,
        changed_at: at,
        validation_type: "dns",
        token,
        verified_at: rpc === "SetPrimaryOrgDomain" ? at : null,
      })
      .execute();
    return name;
  }

  async function newToken(orgId: string): Promise<JsonObject> {
    const { id: tokenId, userId } = await service.createToken({ orgId });
    return { userId, tokenId };
  }

  async function removeBranding(ownerId: string): Promise<void> {
    await service.db.deleteFrom("brandings").where("owner_id", "=", ownerId).execute();
  }

  /** A label policy with images that are not stored, and that is not active, the texts of a message, and a text of pages. */
  async function addBranding(ownerId: string): Promise<void> {
    await removeBranding(ownerId);
    const at = new Date(0);
    const draft = JSON.stringify({ ...BUILT_IN_LABEL, logo: "a", logoDark: "b", icon: "c", iconDark: "d" });
    const { subject, text, buttonText: button } = MESSAGE_TEXT;
    const texts = JSON.stringify({ "en/password-reset": { subject, text, button } });
    const pageTexts = JSON.stringify({ en: { "signIn.submit": "Go on" } });
    await service.db
      .insertInto("brandings")
      .values({
        ...{ owner_id: ownerId, id: randomUUID(), sequence: 0n, created_at: at, changed_at: at },
        ...{ draft, texts, page_texts: pageTexts },
      })
      .execute();
  }

  return async (rpc: WriteRpc, { orgId, humanId, succeeds }: Target): Promise<JsonObject> => {
    const newIdpId = async () => (succeeds ? newIdpFor(rpc, isAdmin(rpc) ? service.instanceId : orgId) : humanId);
    if (isProviderRpc(rpc)) {
      const kind = kindOf(rpc);
      const id = /^(AdminService\.)?Update/.test(rpc) ? { id: await newIdpId() } : {};
      return { ...(kind && PROVIDERS[kind]), ...id };
    }
    const newId = async () => (succeeds ? newUserFor(rpc, orgId) : humanId);
    const newDomain = async () => (succeeds ? newDomainFor(rpc, orgId) : "unknown.example");
    switch (rpc) {
      case "AddOIDCIDP":
      case "AddOrgOIDCIDP":
        return IDP;
      case "BulkImportHumanUsers":
        return { users: [{ user: { ...HUMAN, userName: `bulk-${++count}` } }] };
      case "SetUserMetadata":
        return { id: await newId(), key: "plan", value: "Z29sZA==" };
      case "BulkSetUserMetadata":
        return { id: await newId(), metadata: [{ key: "plan", value: "Z29sZA==" }] };
      case "RemoveUserMetadata":
        return { id: await newUserWithMetadata(orgId), key: "plan" };
      case "BulkRemoveUserMetadata":
        return { id: await newUserWithMetadata(orgId), keys: ["plan"] };
      case "AddMachineUser":
        return { userName: `machine-${++count}`, name: "Machine" };
      case "UpdateMachine":
        return { userId: await newId(), name: "Renamed" };
      case "AddPersonalAccessToken":
        return { userId: await newId() };
      case "RemovePersonalAccessToken":
        return newToken(orgId);
      case "SetUpOrg": {
        const { profile, email } = HUMAN;
        return { org: { name: `Org ${++count}` }, human: { userName: "ada", profile, email } };
      }
      case "RemoveOrg":
        // Not its name: others act in the organization.
        return { confirmName: `Org ${++count}` };
      case "AdminService.RemoveOrg": {
        const name = `Org ${++count}`;
        return { orgId: succeeds ? await service.createOrg(name) : humanId, confirmName: name };
      }
      case "DeactivateOrg":
      case "ReactivateOrg":
        if (succeeds) await prepareOrgFor(rpc, orgId);
        return {};
      case "AddOrg":
      case "UpdateOrg":
        return { name: `Org ${++count}` };
      case "AddOrgDomain":
        return { domain: `domain-${++count}.example` };
      case "RemoveOrgDomain":
      case "ValidateOrgDomain":
      case "SetPrimaryOrgDomain":
        return { domain: await newDomain() };
      case "GenerateOrgDomainValidation":
        return { domain: await newDomain(), type: "DOMAIN_VALIDATION_TYPE_DNS" };
      case "ImportHumanUser":
        return { userName: `ada-${++count}`, ...HUMAN };
      case "UpdateUserName":
        return { userId: humanId, userName: `renamed-${++count}` };
      case "UpdateHumanProfile":
        return { userId: humanId, firstName: `Ada ${++count}`, lastName: "Lovelace" };
      case "SetHumanPassword":
        return { userId: humanId, password: PASSWORD };
      case "RemoveHumanPasswordless":
        return { userId: await newId(), tokenId: service.adminId };
      case "RemoveHumanLinkedIDP": {
        const userId = await newId();
        return { userId, idpId, linkedUserId: userId };
      }
      case "AddHumanLinkedIDP":
        return { userId: await newId(), idpId, externalUserId: `external-${++count}` };
      case "DeactivateUser":
      case "ReactivateUser":
      case "LockUser":
      case "UnlockUser":
      case "RemoveUser":
        return { id: await newId() };
      case "UpdateIDP":
      case "UpdateOrgIDP":
        return { idpId: await newIdpId(), name: `Renamed ${++count}` };
      case "DeleteProvider":
      case "AdminService.DeleteProvider":
        return { id: await newIdpId() };
      case "AddOrgMember":
      case "UpdateOrgMember":
        return { userId: await newId(), roles: ["ORG_USER_MANAGER"] };
      case "RemoveOrgMember":
      case "RemoveIAMMember":
        return { userId: await newId() };
      case "AddIAMMember":
      case "UpdateIAMMember":
        return { userId: await newId(), roles: ["INSTANCE_USER_MANAGER"] };
      case "AddOIDCApp":
        return { name: "Shop", redirectUris: ["https://shop.example/signed-in"] };
      case "UpdateOIDCAppConfig":
        return { appId: await newAppId(orgId), redirectUris: ["https://shop.example/other"] };
      case "PatchOIDCAppConfig": {
        const redirectUris = ["https://shop.example/other"];
        return { appId: await newAppId(orgId), redirectUris, updateMask: "redirectUris" };
      }
      case "AddScimConnection":
        return { name: "Directory" };
      case "AddAPI":
        return { name: "Orders", identifier: `urn:example:orders-${++count}` };
      case "UpdateAPI":
        return { id: succeeds ? await newApi(orgId) : randomUUID(), name: `Orders ${++count}` };
      case "UpdateScimConnection":
      case "RotateScimToken":
      case "RemoveScimConnection":
        return {
          id: succeeds ? await newScimConnection(orgId) : randomUUID(),
          ...(rpc === "UpdateScimConnection" && { name: `Directory ${++count}` }),
        };
      case "RemoveAPI":
        return { id: succeeds ? await newApi(orgId) : randomUUID() };
      case "AddUserAppRoles":
      case "RemoveUserAppRoles": {
        const [userId, appId] = [await newId(), await newAppId(orgId)];
        if (succeeds && rpc === "RemoveUserAppRoles") await giveRole(orgId, userId, appId);
        return { userId, appId, roles: ["editor"] };
      }
      case "AddCustomLabelPolicy":
        if (succeeds) await removeBranding(orgId);
        return { name: "Example" };
      case "UpdateCustomLabelPolicy":
      case "UpdateLabelPolicy":
        if (succeeds) await addBranding(isOfInstance(rpc) ? service.instanceId : orgId);
        return { name: `Example ${++count}` };
      case "UploadCustomLabelPolicyImage":
      case "UploadLabelPolicyImage":
        if (succeeds) await addBranding(isOfInstance(rpc) ? service.instanceId : orgId);
        return { image: "LABEL_POLICY_IMAGE_LOGO", data: PNG.toString("base64") };
      case "ActivateCustomLabelPolicy":
      case "ActivateLabelPolicy":
      case "RemoveCustomLabelPolicyLogo":
      case "RemoveCustomLabelPolicyLogoDark":
      case "RemoveCustomLabelPolicyIcon":
      case "RemoveCustomLabelPolicyIconDark":
      case "RemoveLabelPolicyLogo":
      case "RemoveLabelPolicyLogoDark":
      case "RemoveLabelPolicyIcon":
      case "RemoveLabelPolicyIconDark":
      case "ResetLabelPolicyToDefault":
      case "ResetInstanceLabelPolicyToDefault":
        if (succeeds) await addBranding(isOfInstance(rpc) ? service.instanceId : orgId);
        return {};
      case "SetCustomMessageText":
      case "SetDefaultMessageText":
        return { ...MESSAGE_TEXT, buttonText: `Button ${++count}` };
      case "ResetCustomMessageTextToDefault":
      case "ResetDefaultMessageTextToDefault": {
        if (succeeds) await addBranding(isOfInstance(rpc) ? service.instanceId : orgId);
        const { type, language } = MESSAGE_TEXT;
        return { type, language };
      }
      case "SetCustomPageTexts":
      case "SetDefaultPageTexts":
        return { language: "en", texts: [{ key: "signIn.submit", text: `Button ${++count}` }] };
      case "ResetCustomPageTextsToDefault":
      case "ResetDefaultPageTextsToDefault":
        if (succeeds) await addBranding(isOfInstance(rpc) ? service.instanceId : orgId);
        return { language: "en" };
      case "AddCustomLoginPolicy":
      case "UpdateCustomLoginPolicy":
      case "ResetLoginPolicyToDefault":
        if (succeeds) await preparePolicyFor(rpc, orgId);
        return rpc === "ResetLoginPolicyToDefault" ? {} : newPolicy();
      case "UpdateLoginPolicy":
        return newPolicy();
      case "AddWebhook":
        // There is a limit.
        if (succeeds) await service.db.deleteFrom("webhooks").where("owner_id", "=", orgId).execute();
        return WEBHOOK;
      case "UpdateWebhook":
        return { ...WEBHOOK, id: await newWebhookFor(rpc, orgId, succeeds), name: `CRM ${++count}` };
      case "RemoveWebhook":
      case "DeactivateWebhook":
      case "ReactivateWebhook":
      case "RotateWebhookSigningKey":
        return { id: await newWebhookFor(rpc, orgId, succeeds) };
      case "RemovePasswordHook":
        if (succeeds) await createTestPasswordHook(service, orgId, WEBHOOK.url);
        return {};
      case "RetryWebhookDelivery": {
        const id = await newWebhookFor(rpc, orgId, succeeds);
        return { id, deliveryId: succeeds ? await newDelivery(orgId, id) : id };
      }
      case "RetryUserMessage": {
        const userId = await newId();
        return { userId, messageId: succeeds ? await newFailedMessage(orgId, userId) : userId };
      }
      default: {
        const ids: Readonly<Record<string, () => Promise<string>>> = {
          userId: async () => (rpc in starts ? await newId() : humanId),
          idpId: newIdpId,
          appId: () => newAppId(orgId, rpc === "ReactivateApp" ? "inactive" : "active"),
        };
        return await exampleOf(rpc, ids);
      }
    }
  };

  /** A message that was rejected. */
  async function newFailedMessage(orgId: string, userId: string): Promise<string> {
    const [id, at] = [randomUUID(), new Date(0)];
    const values = { org_id: orgId, id, user_id: userId, notice: "password-changed", created_at: at };
    await service.db
      .insertInto("messages")
      .values({ ...values, channel: "email", recipient: "a@b.example", state: "failed", ended_at: at })
      .execute();
    return id;
  }

  /** The only webhook of the organization, in the state that the RPC needs. */
  async function newWebhookFor(rpc: WriteRpc, orgId: string, succeeds: boolean): Promise<string> {
    if (!succeeds) return randomUUID();
    await service.db.deleteFrom("webhooks").where("owner_id", "=", orgId).execute();
    const { id } = await createTestWebhook(service, orgId);
    if (rpc === "ReactivateWebhook") {
      await service.db.updateTable("webhooks").set({ state: "inactive" }).where("id", "=", id).execute();
    }
    return id;
  }

  /** A delivery that has failed. */
  async function newDelivery(orgId: string, webhookId: string): Promise<string> {
    const id = randomUUID();
    const at = new Date(0);
    const event = { position: BigInt(++count), aggregate_id: webhookId, sequence: 1n, event_type: "org.webhook.added" };
    await service.db
      .insertInto("webhook_deliveries")
      .values({
        ...{ owner_id: orgId, id, webhook_id: webhookId, ...event, event_created_at: at, created_at: at },
        ...{ state: "failed", attempts: 1, next_attempt_at: null, ended_at: at, last_error: "no response" },
      })
      .execute();
    return id;
  }

  /**
   * Activates all organizations, or deactivates the one that the RPC reactivates. The users of one to be deactivated lose
   * their roles elsewhere, so that its owner may do it.
   */
  async function prepareOrgFor(rpc: "DeactivateOrg" | "ReactivateOrg", orgId: string): Promise<void> {
    await service.db.updateTable("orgs").set({ state: "active" }).execute();
    if (rpc === "DeactivateOrg") {
      await service.db.deleteFrom("members").where("user_org_id", "=", orgId).where("scope_id", "!=", orgId).execute();
      return;
    }
    await service.db.updateTable("orgs").set({ state: "inactive" }).where("id", "=", orgId).execute();
  }

  /** One that the owner does not have yet. */
  function newPolicy(): JsonObject {
    return { allowUsernamePassword: true, defaultRedirectUri: `https://app.example.com/${++count}` };
  }

  /** Gives the organization a login policy, or removes it. */
  async function preparePolicyFor(rpc: WriteRpc, orgId: string): Promise<void> {
    const at = new Date(0);
    await service.db.deleteFrom("login_policies").where("owner_id", "=", orgId).execute();
    if (rpc === "AddCustomLoginPolicy") return;
    const row = { owner_id: orgId, settings: {}, sequence: 1n, created_at: at, changed_at: at };
    await service.db.insertInto("login_policies").values(row).execute();
  }
}

/** The example in the OpenAPI document, with ids of objects that exist. */
async function exampleOf(rpc: WriteRpc, ids: Readonly<Record<string, () => Promise<string>>>): Promise<JsonObject> {
  const { input } = methodOf(rpc);
  const example = requestExample(input);
  for (const { jsonName } of input.fields) {
    const id = ids[jsonName];
    if (id !== undefined) example[jsonName] = await id();
  }
  return example;
}

/** The details of what a call has changed. BulkImportHumanUsers returns those of each user. */
export function detailsOf({ details, results }: JsonObject): JsonValue | undefined {
  const [first] = (results ?? []) as { readonly imported: JsonObject }[];
  return first?.imported.details ?? details;
}

/** Whether the RPC changes the instance. */
export function isOfInstance(rpc: WriteRpc): boolean {
  return isAdmin(rpc);
}
