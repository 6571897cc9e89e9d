import { inOrg } from "../../api/api.ts";
import { Copyable } from "../../parts/copyable.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { State } from "../users/columns.tsx";
import { humanOf, nameOf } from "../users/describe-user.ts";
import { AppRolesSection } from "./app-roles-section.tsx";
import { ContactSection } from "./contact-section.tsx";
import { HistorySection } from "./history-section.tsx";
import { LinksSection } from "./links-section.tsx";
import { MachineSection, machineKey } from "./machine-section.tsx";
import { MessagesSection } from "./messages-section.tsx";
import { MetadataSection } from "./metadata-section.tsx";
import { ProfileSection, profileKey } from "./profile-section.tsx";
import { RolesSection } from "./roles-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { StateActions } from "./state-actions.tsx";
import { TokensSection } from "./tokens-section.tsx";
import { WaysInSection } from "./ways-in-section.tsx";

export function UserPage({ orgId, userId }: { orgId: string; userId: string }) {
  const { api } = useSession();
  const { user: own, users } = texts.value;
  const permissions = usePermissions(orgId).value;
  const found = useLoad(`user ${orgId} ${userId}`, async (signal) => {
    return (await api.management.getUserByID({ id: userId }, inOrg(orgId, signal))).user;
  });
  const user = found.value;
  const title = user === undefined ? own.title : nameOf(user);
  const back = (
    <a class="back" href={toPath({ page: "users", orgId })}>
      {users.title}
    </a>
  );
  if (user === undefined || permissions === undefined) {
    return (
      <Page title={title} tools={back}>
        <ProblemNote problem={found.problem} onRetry={found.reload} />
        {found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      </Page>
    );
  }
  const parts = { orgId, user, mayChange: permissions.can("user.write"), onChanged: found.reload };
  const isHuman = humanOf(user) !== undefined;
  return (
    <Page title={title} tools={back}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <dl>
        <dt>{users.columns.state}</dt>
        <dd>
          <State user={user} />
        </dd>
        <dt>{users.columns.id}</dt>
        <dd>
          <Copyable text={user.id} />
        </dd>
        <dt>{users.columns.created}</dt>
        <dd>
          <Time at={user.details?.creationDate} />
        </dd>
        <dt>{users.columns.lastSignIn}</dt>
        <dd>
          <Time at={user.lastSignIn} />
        </dd>
      </dl>
      <StateActions {...parts} permissions={permissions} />
      {isHuman && <ProfileSection {...parts} key={profileKey(user)} />}
      {isHuman && <ContactSection {...parts} key={humanOf(user)?.phone?.phone} />}
      {!isHuman && <MachineSection {...parts} key={machineKey(user)} />}
      {permissions.can("org.member.read") && <RolesSection {...parts} permissions={permissions} />}
      {permissions.can("org.app.read") && <AppRolesSection {...parts} />}
      {!isHuman && <TokensSection {...parts} />}
      {isHuman && <WaysInSection {...parts} />}
      {isHuman && <SessionsSection {...parts} />}
      {isHuman && <LinksSection {...parts} />}
      {isHuman && <MessagesSection {...parts} />}
      <MetadataSection {...parts} />
      <HistorySection {...parts} />
    </Page>
  );
}
