import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

/** The personal access tokens of a machine user. A new one is shown once. */
export function TokensSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { api } = useSession();
  const { tokens } = texts.value;
  const { remove } = texts.value.actions;
  const { id: userId } = user;
  const [added, setAdded] = useState<string>();
  const found = useLoad(`tokens ${userId} ${user.details?.sequence}`, async (signal) => {
    const query = { limit: 100 };
    return (await api.management.listPersonalAccessTokens({ userId, query }, inOrg(orgId, signal))).result;
  });
  return (
    <Section title={tokens.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value?.length === 0 && <p class="quiet">{texts.value.user.none}</p>}
      <ul class="rows">
        {found.value?.map(({ id: tokenId, details, expirationDate, lastFour, lastUsed }) => (
          <li key={tokenId}>
            <code class="term">…{lastFour}</code>
            <span class="value">
              {tokens.created} <Time at={details?.creationDate} />
              <br />
              <span class="small">
                {expirationDate ? tokens.expires : tokens.neverExpires} {expirationDate && <Time at={expirationDate} />}
                {" · "}
                {lastUsed ? tokens.lastUsed : tokens.neverUsed} {lastUsed && <Time at={lastUsed} />}
              </span>
            </span>
            {mayChange && (
              <ActionButton
                label={remove}
                name={`${remove} …${lastFour}`}
                isDangerous
                change={() => api.management.removePersonalAccessToken({ userId, tokenId }, inOrg(orgId))}
                onDone={onChanged}
              />
            )}
          </li>
        ))}
      </ul>
      {added && (
        <div class="notice good" role="status">
          <p>{tokens.once}</p>
          <Copyable text={added} />
        </div>
      )}
      {mayChange && (
        <details>
          <summary>{tokens.add}</summary>
          <TokenForm
            orgId={orgId}
            userId={userId}
            onAdded={(token) => {
              setAdded(token);
              onChanged();
            }}
          />
        </details>
      )}
    </Section>
  );
}

interface TokenFormProps {
  readonly orgId: string;
  readonly userId: string;
  readonly onAdded: (token: string) => void;
}

function TokenForm({ orgId, userId, onAdded }: TokenFormProps) {
  const { api } = useSession();
  const { tokens } = texts.value;
  const [until, setUntil] = useState("");
  const action = useAction(async () => {
    // The whole day is included, in the zone of the browser.
    const expirationDate = until === "" ? undefined : timestampFromDate(new Date(`${until}T23:59:59`));
    const request = { userId, ...(expirationDate && { expirationDate }) };
    const { token } = await api.management.addPersonalAccessToken(request, inOrg(orgId));
    setUntil("");
    onAdded(token);
  });
  const isAtField = action.problem?.fields.has("expirationDate") ?? false;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <Field
        label={tokens.until}
        value={until}
        type="date"
        hint={tokens.untilHint}
        onInput={setUntil}
        problem={action.problem}
        path="expirationDate"
      />
      {!isAtField && <ProblemNote problem={action.problem} />}
      <button type="submit" disabled={action.isRunning}>
        {tokens.add}
      </button>
    </form>
  );
}
