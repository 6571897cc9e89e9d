import { sql } from "kysely";
import type { Database } from "../../src/database/database.ts";
import type { ObjectDetails } from "../../src/events/object-details.ts";
import type { ImportFields } from "../support/operations/operations.ts";
import type { Random } from "../support/random.ts";

const toId = (prefix: string, number: number) => `0000000${prefix}-0000-7000-8000-${String(number).padStart(12, "0")}`;

export const INSTANCE = toId("0", 1);
export const ORGS = [toId("1", 1), toId("1", 2), toId("1", 3)] as const;
/** One identity provider of the instance, and two of each organization. */
export const IDPS = [INSTANCE, ...ORGS, ...ORGS].map((ownerId, number) => ({ id: toId("2", number), ownerId }));

/** Ids of users by organization and name. */
export type UserIds = Map<string, string>;

interface Arrival {
  readonly orgId: string;
  readonly at: Date;
  /** The number of event loop iterations after which its caller disconnects. */
  readonly leavesAfter: number | undefined;
}
export type Command = Arrival &
  (
    | { readonly kind: "import"; readonly fields: ImportFields }
    /** `user` is an organization and a name, or an id. */
    | { readonly kind: "phone"; readonly user: string; readonly phone: string; readonly isVerified: boolean }
  );

/**
 * Generates imports of new users, taken names and subjects, and taken, foreign and unknown links; and phone changes of a few users,
 * including unknown users and those of other organizations.
 */
export function createCommandGenerator(random: Random): () => Command {
  let count = 0;
  const imported: { orgId: string; userName: string }[] = [{ orgId: ORGS[0], userName: "user-0" }];
  const now = Date.UTC(2026, 0, 1);
  const arrive = (): Arrival => ({
    orgId: random.pick([ORGS[0], ORGS[0], ORGS[1], ORGS[2]]),
    // Clocks of several machines, including one that runs backwards.
    at: new Date(now + count * 10 + random.between(-5_000, 5_000)),
    leavesAfter: random.chance(0.1) ? random.below(4) : undefined,
  });
  const toName = () => {
    const name = `user-${random.chance(0.25) ? random.below(count) : count}`;
    return random.chance(0.2) ? name.toUpperCase() : name;
  };
  const toPhone = () => `+4179123456${random.below(4)}`;
  const toLink = (orgId: string) => {
    const own = IDPS.filter(({ ownerId }) => ownerId === orgId || ownerId === INSTANCE);
    const idp = random.chance(0.9) ? random.pick(own) : random.pick([...IDPS, { id: toId("9", 9) }]);
    const configId = random.chance(0.2) ? idp.id.toUpperCase() : idp.id;
    return { configId, externalUserId: `external-${random.below(count)}` };
  };

  return () => {
    count += 1;
    let arrival = arrive();
    const { orgId } = arrival;
    if (random.chance(0.5)) {
      const fields: ImportFields = {
        userName: toName(),
        email: { email: `ada-${count}@example.com`, isEmailVerified: random.chance(0.5) },
        ...(random.chance(0.5) && { phone: { phone: toPhone(), isPhoneVerified: random.chance(0.5) } }),
        ...(random.chance(0.3) && { otpCode: `otp "${count}" \\ ü`, recoveryCodes: [`recovery-${count}`] }),
        requestPasswordlessRegistration: random.chance(0.2),
        // Organizations do not share a statement, so only those of one are taken in a certain order.
        ...(random.chance(0.2) && { subject: `${orgId} ${random.below(40)}` }),
        idps: Array.from({ length: random.pick([0, 0, 1, 3]) }, () => toLink(orgId)),
      };
      imported.push({ orgId, userName: fields.userName.toLowerCase() });
      return { ...arrival, kind: "import", fields };
    }
    // Half of the changes are of five users.
    const { orgId: owner, userName } = random.pick(random.chance(0.5) ? imported.slice(0, 5) : imported);
    const user = random.chance(0.05) ? toId("8", random.below(3)) : `${owner} ${userName}`;
    if (random.chance(0.9)) arrival = { ...arrival, orgId: owner };
    return { ...arrival, kind: "phone", user, phone: toPhone(), isVerified: random.chance(0.7) };
  };
}

/** The details of a response as text. */
export function describeResponse(details: ObjectDetails, hasPasskeyLink = false): string {
  const { sequence, creationDate, changeDate, resourceOwner } = details;
  return `ok ${sequence} ${creationDate.toISOString()} ${changeDate.toISOString()} ${resourceOwner} ${hasPasskeyLink}`;
}

/** All user data without ids and secrets, sorted by identifying values. */
export async function readEverything(db: Database): Promise<Record<string, unknown[]>> {
  const users = sql`
    select to_jsonb(u) - 'id' - 'otp_code' - 'otp_code_key' || jsonb_build_object('otp', otp_code is not null) as row
    from users u order by org_id, user_name_key`;
  const links = sql`
    select to_jsonb(l) - 'user_id' || jsonb_build_object('user', u.user_name) as row
    from user_idp_links l join users u on u.org_id = l.org_id and u.id = l.user_id
    order by l.org_id, idp_id, external_user_id`;
  const subjects = sql`
    select to_jsonb(s) - 'user_id' || jsonb_build_object('user', u.user_name) as row
    from user_subjects s join users u on u.id = s.user_id order by subject`;
  const recoveryCodes = sql`
    select to_jsonb(r) - 'user_id' || jsonb_build_object('user', u.user_name) as row
    from recovery_codes r join users u on u.org_id = r.org_id and u.id = r.user_id order by r.org_id, hash`;
  const codes = sql`
    select to_jsonb(c) - 'id' - 'user_id' - 'secret_hash' - 'digits_hash' - 'digits_key'
      || jsonb_build_object('user', u.user_name, 'digits', c.digits_hash is not null, 'secret', length(c.secret_hash)) as row
    from codes c join users u on u.org_id = c.org_id and u.id = c.user_id
    order by u.org_id, user_name_key, c.sequence, c.kind`;
  const messages = sql`
    select to_jsonb(m) - 'id' - 'user_id' - 'code_id' - 'content' - 'content_key'
      || jsonb_build_object('user', u.user_name, 'code', c.kind, 'sequence', c.sequence, 'content', length(m.content) > 0) as row
    from messages m join codes c on c.org_id = m.org_id and c.id = m.code_id and c.user_id = m.user_id
    join users u on u.org_id = m.org_id and u.id = m.user_id
    order by u.org_id, user_name_key, c.sequence, c.kind, m.channel`;
  const events = sql`
    select to_jsonb(e) - 'aggregate_id' - 'position'
      || jsonb_build_object('user', u.user_name, 'payload', e.payload - 'codeId', 'code', c.kind) as row
    from events e join users u on u.org_id = e.owner_id and u.id = e.aggregate_id
    left join codes c on c.org_id = e.owner_id and c.id = (e.payload ->> 'codeId')::uuid
    order by u.org_id, user_name_key, e.sequence`;
  const counts = sql`
    select jsonb_build_array((select count(*) from users), (select count(*) from user_idp_links),
      (select count(*) from codes), (select count(*) from messages), (select count(*) from events)) as row`;
  const everything: Record<string, unknown[]> = {};
  for (const [name, query] of Object.entries({
    users,
    links,
    subjects,
    recoveryCodes,
    codes,
    messages,
    events,
    counts,
  })) {
    everything[name] = (await query.execute(db)).rows;
  }
  return everything;
}
