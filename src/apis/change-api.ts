import type { Call } from "../call.ts";
import { createId } from "../crypto/secrets.ts";
import { invalidArgument, SignetError } from "../errors.ts";
import type { ApiPayload } from "../events/catalogue.ts";
import { addObject, type Change, changeObject, holdObject, inChange, removeObject } from "../events/change-object.ts";
import { INTROSPECTOR_RULE, type NewApi } from "./check-api.ts";

/**
 * Adds an API to the organization (docs/reference/apis.md).
 *
 * @throws SignetError API_IDENTIFIER_TAKEN, INVALID_ARGUMENT for an unknown application, or for a failure of the
 *   database.
 */
export const addApi = inChange(async (change, { identifier, ...settings }: NewApi, call) => {
  const { payload, columns } = await toStored(change, settings, call);
  const id = createId();
  const api = { owner_id: call.orgId, id, identifier, ...columns };
  const event = { type: "org.api.added", payload: { identifier, ...payload } } as const;
  return { id, ...(await addObject(change, "apis", api, [event])) };
});

/**
 * Replaces the settings of an API (docs/reference/apis.md). The same settings change nothing.
 *
 * @throws SignetError API_NOT_FOUND, INVALID_ARGUMENT for an unknown application, or for a failure of the database.
 */
export const updateApi = inChange(async (change, { id, ...settings }: ApiPayload & { readonly id: string }, call) => {
  const api = await holdApi(change, id, call);
  const { payload, columns } = await toStored(change, settings, call);
  return await changeObject(change, "apis", api, [{ type: "org.api.changed", payload }], columns);
});

/**
 * Removes an API (docs/reference/apis.md). Applications get no tokens for it any more.
 *
 * @throws SignetError API_NOT_FOUND, or for a failure of the database.
 */
export const removeApi = inChange(async (change, { id }: { readonly id: string }, call) => {
  return await removeObject(change, "apis", await holdApi(change, id, call), [
    { type: "org.api.removed", payload: {} },
  ]);
});

async function holdApi(change: Change, id: string, { orgId }: Call) {
  const api = await holdObject(change, "apis", { owner_id: orgId, id });
  if (api === undefined) throw apiNotFound(id);
  return api;
}

export function apiNotFound(id: string): SignetError {
  const message = "id: no API of the organization has this id";
  return new SignetError("API_NOT_FOUND", message, { metadata: { apiId: id } });
}

/**
 * The payload of the event about the settings, and the columns.
 *
 * @throws SignetError INVALID_ARGUMENT if one of the applications is not of the organization.
 */
async function toStored({ db }: Change, { introspectorAppIds: ids, ...others }: ApiPayload, { orgId }: Call) {
  const found =
    ids.length > 0
      ? await db.selectFrom("apps").select("id").where("owner_id", "=", orgId).where("id", "in", ids).execute()
      : [];
  if (found.length < ids.length) throw invalidArgument({ field: "introspectorAppIds", description: INTROSPECTOR_RULE });
  const { name, scopes, allowsUnregisteredClients } = others;
  const payload = { name, scopes: [...scopes], introspectorAppIds: [...ids], allowsUnregisteredClients };
  const columns = {
    ...{ name, scopes: payload.scopes, introspector_app_ids: payload.introspectorAppIds },
    allows_unregistered_clients: allowsUnregisteredClients,
  };
  return { payload, columns };
}
