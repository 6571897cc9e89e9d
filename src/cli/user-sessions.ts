import { toJson } from "@bufbuild/protobuf";
import { ListUserSessionsResponseSchema, type UserSession } from "../../gen/signet/v1/user_session_pb.js";
import type { Config } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import { withApi } from "./api.ts";
import { type ChangeUserOptions, runChange } from "./change-user.ts";
import { findNamedUser } from "./named-user.ts";
import { print, toTable } from "./print.ts";
import { toTime } from "./user-table.ts";

interface SessionsOptions extends ChangeUserOptions {
  /** Ids of the sessions to end. */
  readonly end?: readonly string[];
  readonly endAll: boolean;
}

/** `signet user sessions`: lists the sessions of a user, as in the response of ListUserSessions, or ends some or all. */
export async function userSessionsCommand(configuration: () => Config, options: SessionsOptions): Promise<void> {
  const { end, endAll, json } = options;
  if (endAll || end !== undefined) {
    const what = endAll ? "all sessions" : `${end?.length} of the sessions`;
    const change = {
      question: `End ${what} of %?`,
      result: `ended ${what} of %`,
      run: (api, userId, callOptions) => api.endUserSessions({ userId, sessionIds: [...(end ?? [])] }, callOptions),
    } satisfies Parameters<typeof runChange>[1];
    return await runChange(configuration, change, options);
  }
  await withApi(configuration, options, async (api) => {
    const { id: userId, orgId } = await findNamedUser(api, options);
    const response = await api.management.listUserSessions({ userId, query: { limit: 1_000 } }, inOrg(orgId));
    print(json, toJson(ListUserSessionsResponseSchema, response), toSessionTable(response.result));
  });
}

function toSessionTable(sessions: readonly UserSession[]): string[] {
  const rows = sessions.map(({ id, details, methods, appIds, userAgent, lastSeen }) => [
    id,
    toTime(details?.creationDate),
    toTime(lastSeen),
    methods.join(" "),
    String(appIds.length),
    userAgent,
  ]);
  return toTable(["ID", "SIGNED IN", "LAST SEEN", "METHODS", "APPS", "BROWSER"], rows);
}
