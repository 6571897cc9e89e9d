import { useState } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { humanOf, nameOf } from "../users/describe-user.ts";
import { findUsers } from "../users/find-users.ts";
import { isId, readSearch } from "../users/user-search.ts";

/** More are found by a longer text. */
const SHOWN = 6;

interface UserPickerProps {
  /** The organization whose users are found by their names. */
  readonly orgId: string;
  /** The id of the chosen user; empty without one. */
  readonly chosen: string;
  readonly onChoose: (userId: string) => void;
}

/** Finds a user by a part of the name or address, or by the id. */
export function UserPicker({ orgId, chosen, onChoose }: UserPickerProps) {
  const { api } = useSession();
  const { members, users } = texts.value;
  const [text, setText] = useState("");
  const trimmed = text.trim();
  const found = useLoad(trimmed === "" ? undefined : `pick ${orgId} ${trimmed}`, async (signal) => {
    const search = readSearch(new URLSearchParams({ q: trimmed, sort: "name", dir: "asc", size: "25" }));
    return (await findUsers(api, orgId, search, signal)).users.slice(0, SHOWN);
  });
  const shown = trimmed === "" ? [] : (found.value ?? []);
  const isOtherId = isId(trimmed) && found.isCurrent && shown.length === 0;
  return (
    <fieldset>
      <Field
        label={members.user}
        value={text}
        type="search"
        hint={members.userHint}
        onInput={(value) => {
          setText(value);
          onChoose("");
        }}
      />
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {shown.map((user) => (
        <label class="check" key={user.id}>
          <input
            type="radio"
            name="user"
            value={user.id}
            checked={user.id === chosen}
            onChange={() => onChoose(user.id)}
          />
          <span>
            {nameOf(user)} <span class="small">{humanOf(user)?.email?.email ?? user.userName}</span>
          </span>
        </label>
      ))}
      {isOtherId && (
        <label class="check">
          <input
            type="radio"
            name="user"
            value={trimmed}
            checked={trimmed === chosen}
            onChange={() => onChoose(trimmed)}
          />
          <span>
            {members.byId} <code>{trimmed}</code>
          </span>
        </label>
      )}
      {trimmed !== "" && found.isCurrent && shown.length === 0 && !isOtherId && <p class="quiet">{users.none}</p>}
    </fieldset>
  );
}
