import { UserState } from "../../../gen/signet/v1/user_pb.js";
import { Actions } from "../../parts/actions.tsx";
import { Facts, ItemScreen } from "../../parts/screen.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Copyable, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { useApi, useSession } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { BULK_ACTIONS, type BulkAction } from "../users/bulk-actions.ts";
import { State } from "../users/columns.tsx";
import { humanOf, nameOf } from "../users/describe-user.ts";
import { ContactSection, MachineSection, ProfileSection } from "./profile-section.tsx";
import { AppRolesSection, RolesSection } from "./roles-section.tsx";
import { TokensSection } from "./tokens-section.tsx";
import {
  FailedSignInsSection,
  HistorySection,
  LinksSection,
  MessagesSection,
  MetadataSection,
  SessionsSection,
} from "./user-lists.tsx";
import type { UserPart } from "./user-part.tsx";
import { WaysInSection } from "./ways-in-section.tsx";

export function UserPage({ orgId, id }: { orgId: string; id: string }) {
  const { management } = useApi(orgId);
  const { user: own, users } = texts.value;
  const found = useLoad(`user ${orgId} ${id}`, async (signal) => {
    return (await management.getUserByID({ id }, { signal })).user;
  });
  const list = { title: users.title, path: toPath({ page: "users", orgId }) };
  return (
    <ItemScreen orgId={orgId} kind={own.title} list={list} found={found} nameOf={nameOf}>
      {(user, permissions) => (
        <Parts {...{ orgId, user, permissions }} mayChange={permissions.can("user.write")} onChanged={found.reload} />
      )}
    </ItemScreen>
  );
}

function Parts(part: UserPart) {
  const { user, permissions } = part;
  const { columns } = texts.value.users;
  const { tabs } = texts.value.user;
  const isHuman = humanOf(user) !== undefined;
  const mayReadRoles = permissions.can("org.member.read");
  const mayReadApps = permissions.can("org.app.read");
  return (
    <>
      <Facts
        facts={[
          [columns.state, <State user={user} />],
          [columns.id, <Copyable text={user.id} />],
          [columns.created, <Time at={user.details?.creationDate} />],
          [columns.lastSignIn, <Time at={user.lastSignIn} />],
        ]}
      />
      <StateActions {...part} />
      <Tabs
        tabs={[
          { name: "", title: tabs.profile, show: () => <ProfileTab {...part} isHuman={isHuman} /> },
          { name: "security", title: tabs.security, show: () => <SecurityTab {...part} isHuman={isHuman} /> },
          (mayReadRoles || mayReadApps) && {
            ...{ name: "roles", title: tabs.roles },
            show: () => (
              <>
                {mayReadRoles && <RolesSection {...part} />}
                {mayReadApps && <AppRolesSection {...part} />}
              </>
            ),
          },
          {
            ...{ name: "activity", title: tabs.activity },
            show: () => (
              <>
                {isHuman && <MessagesSection {...part} />}
                <HistorySection {...part} />
              </>
            ),
          },
        ]}
      />
    </>
  );
}

type TabProps = UserPart & { readonly isHuman: boolean };

function ProfileTab({ isHuman, ...part }: TabProps) {
  return (
    <>
      {isHuman && <ProfileSection {...part} />}
      {isHuman && <ContactSection {...part} />}
      {!isHuman && <MachineSection {...part} />}
      <MetadataSection {...part} />
    </>
  );
}

function SecurityTab({ isHuman, ...part }: TabProps) {
  if (!isHuman) return <TokensSection {...part} />;
  return (
    <>
      <WaysInSection {...part} />
      <LinksSection {...part} />
      <SessionsSection {...part} />
      <FailedSignInsSection {...part} />
    </>
  );
}

/** Locks, unlocks, deactivates, reactivates or removes the user: only what the user's state and the permissions allow. */
function StateActions({ orgId, user, permissions, onChanged }: UserPart) {
  const { management } = useApi(orgId);
  const { me } = useSession();
  const { users } = texts.value;
  // The API refuses changes of the caller's own state.
  const possible = user.id === me.id ? [] : (POSSIBLE[user.state] ?? []);
  const actions = possible
    .filter((name) => permissions.can(BULK_ACTIONS[name].permission))
    .map((name) => ({
      label: users.actions[name],
      title: users.confirmOne(users.actions[name], nameOf(user)),
      change: () => BULK_ACTIONS[name].run(management, user.id),
      text: users.actionTexts[name],
      done: users.done[name](nameOf(user)),
      ...(name === "remove" && {
        isFinal: true,
        onDone: () => go(toPath({ page: "users", orgId })),
      }),
    }));
  return <Actions of={nameOf(user)} actions={actions} onDone={onChanged} />;
}

const POSSIBLE: Readonly<Partial<Record<UserState, readonly BulkAction[]>>> = {
  [UserState.ACTIVE]: ["lock", "deactivate", "remove"],
  [UserState.INITIAL]: ["lock", "deactivate", "remove"],
  [UserState.LOCKED]: ["unlock", "remove"],
  [UserState.INACTIVE]: ["reactivate", "remove"],
};
