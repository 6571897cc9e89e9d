import { type Member, MemberFieldName } from "../../../gen/signet/v1/member_pb.js";
import { Actions } from "../../parts/actions.tsx";
import { Identity } from "../../parts/identity.tsx";
import { List, ListScreen, useList } from "../../parts/list-screen.tsx";
import { namesOf, type RoleChoices } from "../../parts/role-boxes.tsx";
import { Section } from "../../parts/screen.tsx";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { toPath } from "../../state/paths.ts";
import { firstOrg, useApi, useSession } from "../../state/session.ts";
import { type Loaded, useLoad } from "../../state/use-load.ts";
import { type GrantCalls, MemberDialog } from "./member-dialog.tsx";

/** The people and machines with a role in the instance. */
export function InstanceMembersPage() {
  const session = useSession();
  const { api } = session;
  const { members, orgs, user } = texts.value;
  const found = useList("instance members", (query, signal) =>
    api.admin.listIAMMembers({ query, sortingColumn: MemberFieldName.CREATION_DATE }, { signal }),
  );
  const mayChange = session.instance.can("iam.member.write");
  const { list, add } = useMembers({
    ...{ found, mayChange, orgId: firstOrg(session), choices: members.choices },
    calls: { add: api.admin.addIAMMember, update: api.admin.updateIAMMember, remove: api.admin.removeIAMMember },
  });
  return (
    <ListScreen
      title={members.title}
      {...list}
      none={{ text: user.none }}
      count={orgs.count}
      add={mayChange && { label: members.add, to: add }}
    >
      <p class="quiet">{members.text}</p>
    </ListScreen>
  );
}

/** More are rare, and are found among the users. */
const SHOWN = 100;

/** Who has a role in the organization. */
export function MembersSection({ orgId, mayChange }: { orgId: string; mayChange: boolean }) {
  const { management } = useApi(orgId);
  const { orgs, members, user } = texts.value;
  const found = useLoad(`members ${orgId}`, async (signal) => {
    return { result: (await management.listOrgMembers({ query: { asc: true, limit: SHOWN } }, { signal })).result };
  });
  const { list, add } = useMembers({
    ...{ found, mayChange, orgId, choices: user.roles.choices },
    calls: { add: management.addOrgMember, update: management.updateOrgMember, remove: management.removeOrgMember },
  });
  return (
    <Section title={orgs.members}>
      {/* Without a placeholder, which is larger than most lists and would move what is below. */}
      {(found.value || found.problem) && (
        <List label={members.roles} {...list} none={<p class="quiet">{user.none}</p>} />
      )}
      {mayChange && <Actions of={orgs.members} actions={[{ label: members.add, dialog: add }]} />}
    </Section>
  );
}

interface MemberChanges {
  readonly choices: RoleChoices;
  readonly calls: GrantCalls & { readonly remove: (request: { readonly userId: string }) => Promise<unknown> };
  readonly onChanged: () => void;
}

interface MembersOptions extends Omit<MemberChanges, "onChanged"> {
  readonly found: Loaded<{ readonly result: readonly Member[] }>;
  readonly mayChange: boolean;
  /** The organization in which a new member is searched. */
  readonly orgId: string;
}

/** A list of those who have a role, with their changes, and the dialog of a new member. */
function useMembers({ found, mayChange, orgId, choices, calls }: MembersOptions) {
  const { me } = useSession();
  const { members, users } = texts.value;
  const changes = { choices, calls, onChanged: found.reload };
  const columns: (Column<Member> | false)[] = [
    [users.columns.name, (member) => <MemberLink {...member} />],
    [members.roles, ({ roles }) => namesOf(roles, choices)],
    [members.since, ({ details }) => <Time at={details?.creationDate} />],
    mayChange && [
      members.change,
      // Nobody changes their own roles.
      (member) => member.userId !== me.id && <MemberActions {...changes} member={member} />,
      { isSpoken: true },
    ],
  ];
  return {
    list: { found, columns, keyOf: ({ userId }: Member) => userId },
    add: (onClose: () => void) => <MemberDialog title={members.add} {...{ ...changes, orgId, onClose }} />,
  };
}

function nameOf({ displayName, preferredLoginName, userId }: Member): string {
  return displayName || preferredLoginName || userId;
}

function MemberLink(member: Member) {
  const { userId: id, userResourceOwner: orgId, email } = member;
  return <Identity name={nameOf(member)} path={toPath({ page: "user", orgId, id })} note={email} />;
}

function MemberActions({ choices, calls, onChanged, member }: MemberChanges & { readonly member: Member }) {
  const { members, actions, done } = texts.value;
  const name = nameOf(member);
  const change = {
    ...{ label: members.change, name: `${members.change}: ${name}` },
    dialog: (onClose: () => void) => (
      <MemberDialog title={members.changeOf(name)} {...{ choices, calls, member, onChanged, onClose }} />
    ),
  };
  const remove = {
    ...{ label: actions.remove, name: `${actions.remove} ${name}`, isFinal: true, done: done.removed(name) },
    ...{ title: members.removeOf(name), text: members.removeText },
    change: () => calls.remove({ userId: member.userId }),
  };
  return <Actions of={name} actions={[change, remove]} isInRow onDone={onChanged} />;
}
