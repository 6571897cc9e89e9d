import { type PlacedCredential, PlacedCredentialType } from "../../../gen/signet/v1/member_pb.js";
import { Dialog } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { Row } from "../../parts/table.tsx";
import { Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { wordsFor } from "../../texts/words-for.ts";

/** What the API returns after roles were given. */
export interface Granted {
  readonly placedCredentials: readonly PlacedCredential[];
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
  const action = useAction(end, placed.ended);
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
        <Button
          label={placed.end}
          look="danger"
          isInert={action.isRunning}
          onClick={async () => {
            if (await action.run()) onDone();
          }}
        />
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
