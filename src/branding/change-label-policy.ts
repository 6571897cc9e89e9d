import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import { type BrandingCall, type ChangeBrandingParts, changeBranding } from "./change-branding.ts";
import type { UploadedImage } from "./check-label-image.ts";
import { BUILT_IN_LABEL, type LabelImages, type LabelSettings } from "./label-settings.ts";
import { prepareBrandingChange } from "./prepare-branding-change.ts";

/**
 * Adds a label policy to an organization that has none.
 *
 * @throws SignetError POLICY_EXISTS, or for a failure of the database, like all functions in this file.
 */
export async function addLabelPolicy(
  parts: ChangeBrandingParts,
  settings: LabelSettings,
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const refuse = () => new SignetError("POLICY_EXISTS", "the organization already has a label policy");
  const event = { type: "org.label.policy.added", payload: settings } as const;
  const values = { settings: JSON.stringify(settings) };
  return await changeBranding(parts, ADD, { owner, event, values, refuse }, call);
}

/** Replaces the settings. @throws SignetError POLICY_NOT_FOUND for an organization without a policy. */
export async function updateLabelPolicy(
  parts: ChangeBrandingParts,
  settings: LabelSettings,
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const statement = owner.kind === "org" ? UPDATE : UPDATE_OF_INSTANCE;
  const event = { type: `${owner.kind}.label.policy.changed`, payload: settings } as const;
  const values = { settings: JSON.stringify(settings) };
  return await changeBranding(parts, statement, { owner, event, values, refuse: notFound }, call);
}

/**
 * Makes pages and emails use the policy and the texts of pages.
 *
 * @throws SignetError POLICY_NOT_FOUND for an owner with neither.
 */
export async function activateLabelPolicy(
  parts: ChangeBrandingParts,
  _fields: unknown,
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const event = { type: `${owner.kind}.label.policy.activated`, payload: {} } as const;
  return await changeBranding(parts, ACTIVATE, { owner, event, values: {}, refuse: notFound }, call);
}

/** Removes the policy: the owner inherits again. @throws SignetError POLICY_NOT_FOUND. */
export async function resetLabelPolicy(
  parts: ChangeBrandingParts,
  _fields: unknown,
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const event = { type: `${owner.kind}.label.policy.removed`, payload: {} } as const;
  return await changeBranding(parts, RESET, { owner, event, values: {}, refuse: notFound }, call);
}

/** Stores an image. @throws SignetError POLICY_NOT_FOUND for an organization without a policy. */
export async function replaceLabelImage(
  parts: ChangeBrandingParts,
  { image, hash, data }: UploadedImage,
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const statement = owner.kind === "org" ? UPLOAD : UPLOAD_OF_INSTANCE;
  const event = { type: `${owner.kind}.label.policy.image.added`, payload: { image, hash } } as const;
  const values = { settings: JSON.stringify({ [image]: hash }), hash, data };
  return await changeBranding(parts, statement, { owner, event, values, refuse: notFound }, call);
}

/** The operation that removes an image. It throws SignetError POLICY_NOT_FOUND. */
export function removeLabelPolicyImage(image: keyof LabelImages) {
  return async (parts: ChangeBrandingParts, _fields: unknown, owner: Owner, call: BrandingCall): Promise<Changed> => {
    const event = { type: `${owner.kind}.label.policy.image.removed`, payload: { image } } as const;
    const values = { settings: JSON.stringify({ [image]: null }) };
    return await changeBranding(parts, UPDATE, { owner, event, values, refuse: notFound }, call);
  };
}

function notFound(): SignetError {
  return new SignetError("POLICY_NOT_FOUND", "there is no label policy to change: the inherited one is used");
}

/** JSON of the fields to replace. */
interface SettingsValues {
  settings: string;
}

interface ImageValues extends SettingsValues {
  hash: string;
  data: Buffer;
}

const ADD = prepareBrandingChange<SettingsValues>({
  create: (given) => ({ draft: replaceIn(sql`null`, given) }),
  set: (given) => ({ draft: replaceIn(sql`null`, given) }),
  isAllowed: (_given, row) => sql`${sql.ref(`${row}.draft`)} is null`,
});

const UPDATE = prepareBrandingChange<SettingsValues>({
  set: (given, row) => ({ draft: replaceIn(sql.ref(`${row}.draft`), given) }),
  isAllowed: (_given, row) => exists(row),
});

const UPDATE_OF_INSTANCE = prepareBrandingChange<SettingsValues>({
  create: (given) => ({ draft: replaceIn(sql`null`, given) }),
  set: (given, row) => ({ draft: replaceIn(sql.ref(`${row}.draft`), given) }),
});

const ACTIVATE = prepareBrandingChange({
  set: (_given, row) => ({ active: sql.ref(`${row}.draft`), active_page_texts: sql.ref(`${row}.page_texts`) }),
  isAllowed: (_given, row) => sql`(${exists(row)} or ${sql.ref(`${row}.page_texts`)} <> '{}'::jsonb
    or ${sql.ref(`${row}.active_page_texts`)} <> '{}'::jsonb)`,
});

const RESET = prepareBrandingChange({
  set: () => ({ draft: sql`null::jsonb`, active: sql`null::jsonb` }),
  isAllowed: (_given, row) => exists(row),
});

const UPLOAD = prepareBrandingChange<ImageValues>({
  set: (given, row) => ({ draft: replaceIn(sql.ref(`${row}.draft`), given) }),
  isAllowed: (_given, row) => exists(row),
  also: storeImage,
});

const UPLOAD_OF_INSTANCE = prepareBrandingChange<ImageValues>({
  create: (given) => ({ draft: replaceIn(sql`null`, given) }),
  set: (given, row) => ({ draft: replaceIn(sql.ref(`${row}.draft`), given) }),
  also: storeImage,
});

/** A policy with some fields replaced. Fields that it does not have are those of the built-in policy. */
function replaceIn<Values extends SettingsValues>(
  label: RawBuilder<unknown>,
  given: Param<Values>,
): RawBuilder<unknown> {
  const settings = (given as unknown as Param<SettingsValues>)("settings", "jsonb");
  return sql`coalesce(${label}, ${sql.lit(JSON.stringify(BUILT_IN_LABEL))}::jsonb) || ${settings}`;
}

function exists(row: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${row}.draft`)} is not null`;
}

/** Locks an image that is stored already, so that no concurrent change deletes it. */
function storeImage(given: Param<ImageValues>): RawBuilder<object> {
  return sql<object>`(
    insert into branding_images (owner_id, hash, data, created_at)
    select owner_id, ${given("hash", "text")}, ${given("data", "bytea")}, changed_at from changed
    on conflict (owner_id, hash) do update set created_at = excluded.created_at)`;
}
