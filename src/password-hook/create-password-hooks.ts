import type { Caller } from "../call.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { LIMITS } from "../limits.ts";
import { createOutboundFetch } from "../outbound/outbound-fetch.ts";
import {
  type AskPasswordHookParts,
  askPasswordHook,
  HOOK_LIMIT_MS,
  type HookAnswer,
  MAX_ANSWER_BYTES,
} from "./ask-password-hook.ts";
import { findHookUser } from "./find-hook-user.ts";
import { findPasswordHook, type PasswordHook } from "./find-password-hook.ts";

/** Asks the password hooks of organizations. */
export interface PasswordHooks {
  /** Finds the hook of an organization; undefined if it has none. */
  find(orgId: string, caller: Caller): Promise<PasswordHook | undefined>;
  /**
   * Asks the hook of an organization about the password of one of its users. Holds no connection to the database
   * meanwhile.
   *
   * @throws SignetError if the database fails.
   */
  ask(hook: PasswordHook, userId: string, password: string, caller: Caller): Promise<HookAnswer>;
}

export function createPasswordHooks({
  config,
  ...parts
}: Pick<AskPasswordHookParts, "keyring" | "clock"> & {
  readonly db: Database;
  readonly config: Pick<Config, "idpAllowPrivateNetworks">;
}): PasswordHooks {
  const send = createOutboundFetch({
    allowsPrivate: config.idpAllowPrivateNetworks,
    timeoutMs: HOOK_LIMIT_MS,
    maxBodyBytes: MAX_ANSWER_BYTES,
  });
  /** The number of requests in progress, by organization. */
  const inFlight = new Map<string, number>();

  async function count<Result>(orgId: string, run: () => Promise<Result>): Promise<Result> {
    inFlight.set(orgId, (inFlight.get(orgId) ?? 0) + 1);
    try {
      return await run();
    } finally {
      const rest = (inFlight.get(orgId) ?? 0) - 1;
      if (rest > 0) inFlight.set(orgId, rest);
      else inFlight.delete(orgId);
    }
  }

  return {
    find: (orgId, caller) => findPasswordHook(parts, orgId, caller),
    async ask(hook, userId, password, caller) {
      const { orgId } = hook;
      if ((inFlight.get(orgId) ?? 0) >= LIMITS.passwordHook.most) {
        return { kind: "none", reason: `${LIMITS.passwordHook.most} requests are in progress`, isChecked: false };
      }
      return await count(orgId, async () => {
        const user = await findHookUser(parts, { orgId, id: userId }, caller);
        if (user === undefined) return { kind: "wrong" };
        return await askPasswordHook({ ...parts, send }, hook, user, password, caller);
      });
    },
  };
}
