import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import { FormDialog } from "../../parts/edit-form.tsx";
import { Field, Option } from "../../parts/field.tsx";
import { RoleBoxes, type RoleChoice } from "../../parts/role-boxes.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { type Bound, useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { addressOf, nameOf } from "../users/describe-user.ts";
import { findUsers } from "../users/find-users.ts";
import { isId, readSearch } from "../users/user-search.ts";
import { type Granted, PlacedCredentialsDialog } from "./placed-credentials-dialog.tsx";

/** The roles of a user. `endCredentials`: whether the credentials that others have placed end first. */
interface Grant {
  readonly userId: string;
  readonly roles: string[];
  readonly endCredentials?: boolean;
}

/** Calls of the API that give roles. */
export interface GrantCalls {
  readonly add: (grant: Grant) => Promise<Granted>;
  readonly update: (grant: Grant) => Promise<Granted>;
}

interface MemberDialogProps {
  readonly title: string;
  readonly choices: readonly RoleChoice[];
  /** The organization in which a new member is searched. */
  readonly orgId?: string;
  /** The member whose roles change; undefined for a new one. */
  readonly member?: Grant;
  readonly calls: GrantCalls;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Adds a member, or changes the roles of one, and shows which credentials others have placed. */
export function MemberDialog({ title, choices, orgId = "", member, calls, onChanged, onClose }: MemberDialogProps) {
  const { actions, members } = texts.value;
  const [placed, setPlaced] = useState<Granted["placedCredentials"]>([]);
  const onDone = () => {
    onClose();
    onChanged();
  };
  const form = useForm({
    stored: { userId: member?.userId ?? "", roles: member?.roles ?? [] },
    async save(grant) {
      const { placedCredentials } = await (member === undefined ? calls.add(grant) : calls.update(grant));
      return grant.roles.every((role) => member?.roles.includes(role)) ? [] : placedCredentials;
    },
    onSaved: (found) => (found.length > 0 ? setPlaced(found) : onDone()),
  });
  const { userId, roles } = form.values;
  if (placed.length > 0) {
    const end = () => calls.update({ userId, roles, endCredentials: true });
    return <PlacedCredentialsDialog credentials={placed} end={end} onDone={onDone} />;
  }
  return (
    <FormDialog
      title={title}
      button={member === undefined ? members.add : actions.save}
      form={form}
      isIncomplete={userId === "" || roles.length === 0}
      onClose={onClose}
    >
      {member === undefined && <UserPicker orgId={orgId} {...form.field("userId")} />}
      <RoleBoxes label={members.roles} choices={choices} {...form.field("roles")} />
    </FormDialog>
  );
}

/** More are found by a longer text. */
const SHOWN = 6;

/** Finds a user of an organization by a part of the name or address, or by the id, which is the value. */
function UserPicker({ orgId, value: chosen, onInput }: Bound<string> & { readonly orgId: string }) {
  const api = useApi(orgId);
  const { members, users } = texts.value;
  const [text, setText] = useState("");
  const trimmed = text.trim();
  const found = useLoad(trimmed === "" ? undefined : `pick ${orgId} ${trimmed}`, async (signal) => {
    const search = readSearch(new URLSearchParams({ q: trimmed, sort: "name", dir: "asc", size: "25" }));
    return (await findUsers(api, search, signal)).users.slice(0, SHOWN);
  });
  const shown = trimmed === "" ? [] : (found.value ?? []);
  const isOtherId = isId(trimmed) && found.isCurrent && shown.length === 0;
  const choice = (id: string, label: ComponentChildren) => (
    <Option key={id} group="user" isChosen={id === chosen} onInput={() => onInput(id)}>
      {label}
    </Option>
  );
  return (
    <fieldset>
      <Field
        label={members.user}
        value={text}
        type="search"
        hint={members.userHint}
        onInput={(value) => {
          setText(value);
          onInput("");
        }}
      />
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {shown.map((user) => choice(user.id, <UserLabel user={user} />))}
      {isOtherId && choice(trimmed, <IdLabel id={trimmed} />)}
      {trimmed !== "" && found.isCurrent && shown.length === 0 && !isOtherId && <p class="quiet">{users.none}</p>}
    </fieldset>
  );
}

function UserLabel({ user }: { user: User }) {
  return (
    <>
      {nameOf(user)} <span class="small">{addressOf(user) || user.userName}</span>
    </>
  );
}

function IdLabel({ id }: { id: string }) {
  return (
    <>
      {texts.value.members.byId} <code>{id}</code>
    </>
  );
}
