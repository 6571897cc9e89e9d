import type { Updateable } from "kysely";
import type { Call } from "../../call.ts";
import { createLinkSecret } from "../../crypto/secrets.ts";
import type { Database } from "../../database/database.ts";
import type { Tables } from "../../database/tables.ts";
import { addProblem, type Problems, SignetError } from "../../errors.ts";
import { type Change, changeObject, inChange } from "../../events/change-object.ts";
import type { Changed } from "../../events/object-details.ts";
import { describeDomainProblem, toDomain } from "../../fields/domain.ts";
import { holdOrg } from "../change-org.ts";
import { type DomainProofType, toProofPlace } from "./domain-proof.ts";

/** The field of the calls about a domain. */
export interface DomainFields {
  readonly domain: string;
}

/** Brings the domain to the form in which it is stored. One of any other form does not exist. */
export function checkDomain({ domain }: DomainFields): DomainFields {
  return { domain: toDomain(domain) };
}

/** Checks the rules of a new domain that the schema cannot express. */
export function checkNewDomain(request: DomainFields, problems: Problems): DomainFields {
  const { domain } = checkDomain(request);
  addProblem(problems, "domain", describeDomainProblem(domain));
  return { domain };
}

/** The most domains of an organization. */
export const MAX_DOMAINS = 100;

/**
 * Adds a domain to the organization (docs/reference/organizations.md). It has no effect until it is verified.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_EXISTS, TOO_MANY_DOMAINS, or for a failure of the database.
 */
export const addOrgDomain = inChange(async (change, { domain: name }: DomainFields, call) => {
  const org = await holdOrg(change, call.orgId);
  const domains = await change.db.selectFrom("org_domains").select("name").where("org_id", "=", org.id).execute();
  if (domains.length >= MAX_DOMAINS) {
    throw new SignetError("TOO_MANY_DOMAINS", "the organization has the maximum number of domains");
  }
  if (domains.some((domain) => domain.name === name)) {
    throw new SignetError("ORG_DOMAIN_EXISTS", "domain: the organization has this domain already");
  }
  const event = { type: "org.domain.added", payload: { domain: name } } as const;
  const changed = await changeObject(change, "orgs", org, [event]);
  const { sequence, changeDate: time } = changed.details;
  const row = { org_id: org.id, name, sequence, created_at: time, changed_at: time };
  await change.db.insertInto("org_domains").values(row).execute();
  return changed;
});

/** The fields of GenerateOrgDomainValidation. */
export interface DomainValidation extends DomainFields {
  readonly type: DomainProofType;
}

/**
 * Generates the token with which the organization proves that it controls a domain (docs/reference/organizations.md),
 * and the URL of the file, or the name of the TXT record, to publish it in. It replaces an earlier one.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND, ORG_DOMAIN_VERIFIED, or for a failure of the database.
 */
export const generateDomainValidation = inChange(async (change, { domain: name, type }: DomainValidation, call) => {
  const { org, domain } = await holdDomain(change, name, call);
  if (domain.verified_at !== null) throw domainVerified();
  const token = createLinkSecret();
  const event = { type: "org.domain.verification.added", payload: { domain: name, type } } as const;
  const changed = await changeObject(change, "orgs", org, [event]);
  await updateDomain(change, domain, { token, validation_type: type }, changed);
  return { token, url: toProofPlace(type, name, token), ...changed };
});

/**
 * Makes a verified domain the primary one of the organization (docs/reference/organizations.md).
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND, ORG_DOMAIN_NOT_VERIFIED, or for a failure of the database.
 */
export const setPrimaryOrgDomain = inChange(async (change, { domain: name }: DomainFields, call) => {
  const { org, domain } = await holdDomain(change, name, call);
  if (domain.verified_at === null) throw new SignetError("ORG_DOMAIN_NOT_VERIFIED", "domain: is not verified");
  const event = { type: "org.domain.primary.set", payload: { domain: name } } as const;
  const columns = org.primary_domain === name ? undefined : { primary_domain: name };
  return await changeObject(change, "orgs", org, [event], columns);
});

/**
 * Removes a domain from the organization (docs/reference/organizations.md).
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND, or for a failure of the database.
 */
export const removeOrgDomain = inChange(async (change, { domain: name }: DomainFields, call) => {
  const { org } = await holdDomain(change, name, call);
  await change.db.deleteFrom("org_domains").where("org_id", "=", org.id).where("name", "=", name).execute();
  const event = { type: "org.domain.removed", payload: { domain: name } } as const;
  const columns = org.primary_domain === name ? { primary_domain: null } : undefined;
  return await changeObject(change, "orgs", org, [event], columns);
});

/**
 * Locks the organization of the call, so that changes of its domains run one after another, and reads one of them. The
 * events of a domain are those of its organization.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND.
 */
export async function holdDomain(change: Change, name: string, { orgId }: Call) {
  const org = await holdOrg(change, orgId);
  const domain = await selectDomain(change.db, org.id, name).executeTakeFirst();
  if (domain === undefined) {
    throw new SignetError("ORG_DOMAIN_NOT_FOUND", "domain: the organization has no such domain");
  }
  return { org, domain };
}

export function selectDomain(db: Database, orgId: string, name: string) {
  return db.selectFrom("org_domains").selectAll().where("org_id", "=", orgId).where("name", "=", name);
}

export function domainVerified(): SignetError {
  return new SignetError("ORG_DOMAIN_VERIFIED", "domain: is verified already");
}

/** Changes a domain, with the sequence and time of the event of its organization. */
export async function updateDomain(
  { db }: Change,
  { org_id, name }: { readonly org_id: string; readonly name: string },
  columns: Updateable<Tables["org_domains"]>,
  { details: { sequence, changeDate: changed_at } }: Changed,
): Promise<void> {
  const query = db.updateTable("org_domains").set({ ...columns, sequence, changed_at });
  await query.where("org_id", "=", org_id).where("name", "=", name).execute();
}
