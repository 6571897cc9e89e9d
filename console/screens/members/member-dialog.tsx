import { useState } from "preact/hooks";
import { type PlacedCredential, PlacedCredentialType } from "../../../gen/signet/v1/member_pb.js";
import { Dialog } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/edit-form.tsx";
import { IdField } from "../../parts/pick-field.tsx";
import { RoleBoxes, type RoleChoices } from "../../parts/role-boxes.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { Row } from "../../parts/table.tsx";
import { Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { type Bound, useForm } from "../../state/use-form.ts";
import { wordsFor } from "../../texts/words-for.ts";
import { orById, useUserChoices } from "../users/choices.ts";

/** What the API returns after roles were given. */
export interface Granted {
  readonly placedCredentials: readonly PlacedCredential[];
}

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
  readonly choices: RoleChoices;
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

/** A user of the organization by the name or address, or any user by the id. */
function UserPicker({ orgId, ...bound }: Bound<string> & { readonly orgId: string }) {
  const { user: label, userHint: placeholder } = texts.value.members;
  const { find, ...choices } = useUserChoices(orgId);
  return <IdField {...{ label, placeholder, ...choices, find: orById(find), ...bound }} />;
}

interface PlacedCredentialsDialogProps {
  readonly credentials: readonly PlacedCredential[];
  readonly end: () => Promise<unknown>;
  /** Called after the credentials have ended, and if they are kept. */
  readonly onDone: () => void;
}

/** Shows what others have placed for a user who has got a role, and offers to end it. */
export function PlacedCredentialsDialog({ credentials, end, onDone }: PlacedCredentialsDialogProps) {
  const { placed } = texts.value.members;
  const action = useAction(end, placed.ended, onDone);
  return (
    <Dialog title={placed.title} onClose={onDone}>
      <p>{placed.text}</p>
      <ul class="rows results">
        {credentials.map((credential) => (
          <CredentialRow key={`${credential.type} ${credential.id} ${credential.name}`} {...credential} />
        ))}
      </ul>
      <p class="hint">{placed.endText}</p>
      <ProblemNote problem={action.problem} />
      <div class="buttons">
        <Button label={placed.end} look="danger" isInert={action.isRunning} onClick={() => action.run()} />
        {/* The key Enter may still be down from the form before. */}
        <button type="button" class="secondary" autofocus onClick={onDone}>
          {placed.keep}
        </button>
      </div>
    </Dialog>
  );
}

function CredentialRow({ type, name, placedBy, placedDate }: PlacedCredential) {
  const { members, user } = texts.value;
  const { placed } = members;
  return (
    <Row term={placed.types[type]}>
      {toLabel(type, name)}
      {name && <br />}
      <span class="small">
        <Time at={placedDate} /> · {placed.by} {placedBy ? <code>{placedBy}</code> : user.history.operator}
      </span>
    </Row>
  );
}

function toLabel(type: PlacedCredentialType, name: string): string {
  if (type === PlacedCredentialType.TOKEN) return `…${name}`;
  if (type === PlacedCredentialType.LINK) return wordsFor(texts.value.members.placed.links, name);
  return name;
}
