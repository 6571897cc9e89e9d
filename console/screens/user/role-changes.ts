import type { Event } from "../../../gen/signet/v1/event_pb.js";
import type { Session } from "../../state/session.ts";

/** Events of an organization and of the instance whose types say that roles were changed. */
const CHANGES = ["added", "changed", "removed"];
/** The most that a call returns. */
const MOST_READ = 1_000;

/** Finds the changes of a user's roles, which are events of the organization and of the instance. */
export async function findRoleChanges(
  { apiOf, instance }: Session,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  signal: AbortSignal,
): Promise<Event[]> {
  const api = apiOf(orgId);
  const eventTypes = (scope: string) => CHANGES.map((change) => `${scope}.member.${change}`);
  const request = { eventTypes: eventTypes("org"), aggregateId: orgId, limit: MOST_READ };
  const lists = await Promise.all([
    api.management.listEvents(request, { signal }),
    instance.can("iam.member.read") ? ofInstance() : { events: [] },
  ]);
  return lists.flatMap(({ events }) => events).filter(({ payload }) => payload?.userId === userId);

  /** Its members have its id. */
  async function ofInstance() {
    const { result } = await api.admin.listIAMMembers({ query: { limit: 1 } }, { signal });
    const aggregateId = result[0]?.details?.resourceOwner ?? "";
    return await api.admin.listEvents(
      { eventTypes: eventTypes("instance"), aggregateId, limit: MOST_READ },
      { signal },
    );
  }
}
