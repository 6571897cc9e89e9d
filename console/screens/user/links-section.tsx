import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { NewLink } from "./new-link.tsx";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

/** The accounts at other providers with which the user can sign in. */
export function LinksSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { api } = useSession();
  const { links, none } = texts.value.user;
  const { remove } = texts.value.actions;
  const { id: userId } = user;
  const found = useLoad(`links ${userId} ${user.details?.sequence}`, async (signal) => {
    return (await api.management.listHumanLinkedIDPs({ userId, query: { asc: true } }, inOrg(orgId, signal))).result;
  });
  return (
    <Section title={links.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value?.length === 0 && <p class="quiet">{none}</p>}
      <ul class="rows">
        {found.value?.map(({ idpId, idpName, providedUserId, providedUserName }) => (
          <li key={`${idpId} ${providedUserId}`}>
            <span class="term">{idpName}</span>
            <span class="value">{providedUserName || providedUserId}</span>
            {mayChange && (
              <ActionButton
                label={remove}
                name={`${remove} ${idpName}`}
                isDangerous
                change={() =>
                  api.management.removeHumanLinkedIDP({ userId, idpId, linkedUserId: providedUserId }, inOrg(orgId))
                }
                onDone={onChanged}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && <NewLink orgId={orgId} userId={userId} onAdded={onChanged} />}
    </Section>
  );
}
