import type pg from "pg";
import { hashNewPassword } from "../src/passwords/new-hash.ts";

export const PEOPLE = 50;
export const PASSWORD = "analytical engine no. 1";

/** Adds users who can sign in with a password. Their names are a prefix and a number from 0 to 49. */
export async function addPeople(client: pg.Client, scheme: "bcrypt" | "argon2id", prefix: string): Promise<void> {
  await client.query(
    `insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email,
       email_verified, password_hash, password_changed_at, sequence, created_at, changed_at)
     select orgs.id, gen_random_uuid(), 'human', $1 || n, $1 || n, 'Ada', 'Lovelace', 'Ada Lovelace', 0, 'ada@example.com',
       true, $2, now(), 1, now(), now()
     from orgs, generate_series(0, $3::int - 1) as n`,
    [prefix, hashNewPassword({ scheme, cost: 12 }, PASSWORD), PEOPLE],
  );
}
