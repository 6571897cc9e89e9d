import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import type { PersonalAccessToken } from "../../../gen/signet/v1/user_machine_pb.js";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { Section } from "../../parts/screen.tsx";
import { Row, Rows, SmallLine } from "../../parts/table.tsx";
import { SecretNote, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { RemoveButton, type UserPart } from "./user-part.tsx";

/** The personal access tokens of a machine user. A new one is shown once. */
export function TokensSection(part: UserPart) {
  const { orgId, user, mayChange, onChanged } = part;
  const { management } = useApi(orgId);
  const { tokens } = texts.value;
  const { id: userId } = user;
  const [added, setAdded] = useState<string>();
  const found = useLoad(`tokens ${userId} ${user.details?.sequence}`, async (signal) => {
    return (await management.listPersonalAccessTokens({ userId, query: { limit: 100 } }, { signal })).result;
  });
  const removal = ({ id: tokenId, lastFour }: PersonalAccessToken) => {
    const change = () => management.removePersonalAccessToken({ userId, tokenId });
    return <RemoveButton of={`…${lastFour}`} change={change} onDone={onChanged} />;
  };
  return (
    <Section title={tokens.title}>
      <Rows found={found} none={texts.value.user.none}>
        {(token) => (
          <Row key={token.id} term={<code>…{token.lastFour}</code>} action={mayChange && removal(token)}>
            <TokenDates {...token} />
          </Row>
        )}
      </Rows>
      {added && <SecretNote label={tokens.token} secret={added} />}
      {mayChange && <NewToken {...part} onAdded={setAdded} />}
    </Section>
  );
}

function TokenDates({ details, expirationDate, lastUsed }: PersonalAccessToken) {
  const { tokens } = texts.value;
  return (
    <>
      {tokens.created} <Time at={details?.creationDate} />
      <SmallLine>
        {expirationDate ? tokens.expires : tokens.neverExpires} {expirationDate && <Time at={expirationDate} />}
        {" · "}
        {lastUsed ? tokens.lastUsed : tokens.neverUsed} {lastUsed && <Time at={lastUsed} />}
      </SmallLine>
    </>
  );
}

function NewToken({ orgId, user, onChanged, onAdded }: UserPart & { onAdded: (token: string) => void }) {
  const { management } = useApi(orgId);
  const { tokens } = texts.value;
  const form = useForm({
    stored: { expirationDate: "" },
    async save({ expirationDate: until }) {
      // The whole day is included, in the zone of the browser.
      const expirationDate = until === "" ? undefined : timestampFromDate(new Date(`${until}T23:59:59`));
      const request = { userId: user.id, ...(expirationDate && { expirationDate }) };
      return (await management.addPersonalAccessToken(request)).token;
    },
    isEmptied: true,
    done: tokens.added,
    onSaved(token) {
      onAdded(token);
      onChanged();
    },
  });
  return (
    <details>
      <summary>{tokens.add}</summary>
      <EditForm form={form} button={tokens.add} isComplete>
        <Field label={tokens.until} type="date" hint={tokens.untilHint} {...form.field("expirationDate")} />
      </EditForm>
    </details>
  );
}
