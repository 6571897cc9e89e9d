import { inOrg } from "../../api/api.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { ORG_ROLES } from "../user/roles-section.tsx";
import { Section } from "../user/section.tsx";

/** More are rare, and are found among the users. */
const SHOWN = 100;

/** Who has a role in the organization. Roles are changed on the page of the user. */
export function MembersSection({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { orgs, user } = texts.value;
  const found = useLoad(`members ${orgId}`, async (signal) => {
    return (await api.management.listOrgMembers({ query: { asc: true, limit: SHOWN } }, inOrg(orgId, signal))).result;
  });
  const nameOf = (role: string) => ORG_ROLES.filter((each) => each === role).map((each) => user.roles.names[each])[0];
  return (
    <Section title={orgs.members}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value?.length === 0 && <p class="quiet">{user.none}</p>}
      <ul class="rows">
        {found.value?.map(({ userId, userResourceOwner, displayName, preferredLoginName, roles }) => (
          <li key={userId}>
            <span class="value">
              <a href={toPath({ page: "user", orgId: userResourceOwner, userId })}>
                {displayName || preferredLoginName}
              </a>
            </span>
            <span class="value">{roles.map((role) => nameOf(role) ?? role).join(", ")}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
