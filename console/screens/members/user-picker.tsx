import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import { Field, Option } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import type { Bound } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { addressOf, nameOf } from "../users/describe-user.ts";
import { findUsers } from "../users/find-users.ts";
import { isId, readSearch } from "../users/user-search.ts";

/** More are found by a longer text. */
const SHOWN = 6;

/** Finds a user of an organization by a part of the name or address, or by the id, which is the value. */
export function UserPicker({ orgId, value: chosen, onInput }: Bound<string> & { readonly orgId: string }) {
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
