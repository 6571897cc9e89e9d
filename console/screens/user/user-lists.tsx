import { type Timestamp, timestampFromDate, timestampMs } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import type { Change } from "../../../gen/signet/v1/change_pb.js";
import type { Event } from "../../../gen/signet/v1/event_pb.js";
import { ActionButton } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { FailedSignInRows } from "../../parts/failed-sign-in-rows.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { ProblemNote, Section } from "../../parts/screen.tsx";
import { Row, Rows, SmallLine } from "../../parts/table.tsx";
import { eventWords, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useApi, useSession } from "../../state/session.ts";
import { useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { kindOf, MessageStatus, RetryButton } from "../messages/message-status.tsx";
import { findRoleChanges } from "./role-changes.ts";
import { RemoveButton, type UserPart } from "./user-part.tsx";

/** The accounts at other providers with which the user can sign in. */
export function LinksSection(part: UserPart) {
  const { orgId, user, mayChange, onChanged } = part;
  const { management } = useApi(orgId);
  const { links, none } = texts.value.user;
  const { id: userId } = user;
  const found = useLoad(`links ${userId} ${user.details?.sequence}`, async (signal) => {
    return (await management.listHumanLinkedIDPs({ userId, query: { asc: true } }, { signal })).result;
  });
  const unlink = (idpId: string, linkedUserId: string) =>
    management.removeHumanLinkedIDP({ userId, idpId, linkedUserId });
  return (
    <Section title={links.title}>
      <Rows found={found} none={none}>
        {({ idpId, idpName, providedUserId, providedUserName }) => (
          <Row
            key={`${idpId} ${providedUserId}`}
            term={idpName}
            action={
              mayChange && <RemoveButton of={idpName} change={() => unlink(idpId, providedUserId)} onDone={onChanged} />
            }
          >
            {providedUserName || providedUserId}
          </Row>
        )}
      </Rows>
      {mayChange && <NewLink {...part} />}
    </Section>
  );
}

/** Links the user to an account at a provider. Nothing if there is no provider. */
function NewLink({ orgId, user, onChanged }: UserPart) {
  const { management } = useApi(orgId);
  const { links, fields } = texts.value.user;
  const [chosen, setChosen] = useState("");
  const found = useLoad(`providers ${orgId}`, async (signal) => {
    return (await management.listOrgIDPs({ query: { asc: true, limit: 100 } }, { signal })).result;
  });
  const { value: providers = [] } = found;
  const idpId = chosen || (providers[0]?.id ?? "");
  const form = useForm({
    ...{ stored: { externalUserId: "", displayName: "" }, isEmptied: true, onSaved: onChanged },
    done: ({ externalUserId }) => texts.value.done.added(externalUserId),
    save: (link) => management.addHumanLinkedIDP({ ...link, userId: user.id, idpId }),
  });
  if (idpId === "") return null;
  return (
    <details>
      <summary>{links.add}</summary>
      <EditForm form={form} button={links.add}>
        <div class="fields">
          <Select
            label={links.provider}
            value={idpId}
            options={providers.map(({ id, name }) => [id, name])}
            onInput={setChosen}
          />
          <Field label={links.externalId} hint={links.externalIdHint} {...form.field("externalUserId")} isRequired />
          <Field label={fields.displayName} {...form.field("displayName")} />
        </div>
      </EditForm>
    </details>
  );
}

/** The values that applications store with the user. */
export function MetadataSection({ orgId, user: { id }, mayChange }: UserPart) {
  const { management } = useApi(orgId);
  const { metadata, none } = texts.value.user;
  const found = useLoad(`metadata ${id}`, async (signal) => {
    return (await management.listUserMetadata({ id, query: { asc: true, limit: 100 } }, { signal })).result;
  });
  const removal = (key: string) => (
    <RemoveButton of={key} change={() => management.removeUserMetadata({ id, key })} onDone={found.reload} />
  );
  return (
    <Section title={metadata.title}>
      <Rows found={found} none={none}>
        {({ key, value }) => (
          <Row key={key} term={key} action={mayChange && removal(key)}>
            {toText(value) ?? metadata.bytes(value.length)}
          </Row>
        )}
      </Rows>
      {mayChange && <NewMetadata orgId={orgId} id={id} onAdded={found.reload} />}
    </Section>
  );
}

function NewMetadata({ orgId, id, onAdded }: { orgId: string; id: string; onAdded: () => void }) {
  const { management } = useApi(orgId);
  const { metadata } = texts.value.user;
  const form = useForm({
    ...{ stored: { key: "", value: "" }, isEmptied: true, onSaved: onAdded },
    done: ({ key }) => texts.value.done.added(key),
    save: ({ key, value }) => management.setUserMetadata({ id, key, value: new TextEncoder().encode(value) }),
  });
  return (
    <details>
      <summary>{metadata.add}</summary>
      <EditForm form={form} button={metadata.add}>
        <div class="fields">
          <Field label={metadata.key} {...form.field("key")} isRequired />
          <Field label={metadata.value} {...form.field("value")} isRequired />
        </div>
      </EditForm>
    </details>
  );
}

/** Undefined for bytes that are no text. */
function toText(value: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(value);
  } catch {
    return undefined;
  }
}

/** The browsers in which the user is signed in. */
export function SessionsSection({ orgId, user, mayChange }: UserPart) {
  const { management } = useApi(orgId);
  const { sessions, ...own } = texts.value.user;
  const { id: userId } = user;
  const found = useLoad(`sessions ${userId} ${user.details?.sequence}`, async (signal) => {
    return (await management.listUserSessions({ userId, query: { limit: 50 } }, { signal })).result;
  });
  const endButton = (label: string, sessionIds: string[], name?: string) => (
    <ActionButton
      label={label}
      {...(name && { name })}
      done={name === undefined ? sessions.allEnded : sessions.ended}
      isDangerous={name === undefined}
      change={() => management.endUserSessions({ userId, sessionIds })}
      onDone={found.reload}
    />
  );
  return (
    <Section title={sessions.title}>
      <Rows found={found} none={own.none}>
        {({ id, userAgent, lastSeen, methods }) => (
          <Row key={id} action={mayChange && endButton(sessions.end, [id], `${sessions.end}: ${userAgent}`)}>
            {userAgent || sessions.unknownBrowser}
            <SmallLine>
              {sessions.lastSeen} <Time at={lastSeen} /> · {methods.join(", ")}
            </SmallLine>
          </Row>
        )}
      </Rows>
      {mayChange && (found.value?.length ?? 0) > 1 && endButton(sessions.endAll, [])}
    </Section>
  );
}

/** Older ones are of no interest to somebody who waits for an email. */
const SHOWN = 10;

/** The latest messages to the user. */
export function MessagesSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { management } = useApi(orgId);
  const { messages, user: own } = texts.value;
  const { id: userId } = user;
  const found = useLoad(`messages ${userId} ${user.details?.sequence}`, async (signal) => {
    return (await management.listUserMessages({ userId, query: { limit: SHOWN } }, { signal })).result;
  });
  const retried = () => {
    found.reload();
    onChanged();
  };
  return (
    <Section title={messages.title}>
      <Rows found={found} none={own.none}>
        {(message) => (
          <Row
            key={message.id}
            term={<Time at={message.creationDate} />}
            action={mayChange && <RetryButton orgId={orgId} message={message} onDone={retried} />}
          >
            {kindOf(message)} <span class="small">{message.recipient}</span>
            <br />
            <MessageStatus message={message} />
          </Row>
        )}
      </Rows>
    </Section>
  );
}

const STEP = 20;

/** The events of the user, and the changes of the user's roles, the latest first. */
export function HistorySection({ orgId, user }: UserPart) {
  const session = useSession();
  const { management } = useApi(orgId);
  const { history } = texts.value.user;
  const [limit, setLimit] = useState(STEP);
  const { id: userId } = user;
  const found = useLoad(`history ${userId} ${user.details?.sequence} ${limit}`, async (signal) => {
    return (await management.listUserChanges({ userId, query: { limit } }, { signal })).result;
  });
  const ofRoles = useLoad(`role changes ${orgId} ${userId}`, (signal) =>
    findRoleChanges(session, { orgId, userId }, signal),
  );
  return (
    <Section title={history.title}>
      <ProblemNote problem={ofRoles.problem} onRetry={ofRoles.reload} />
      <Rows found={{ ...found, value: found.value && merge(found.value, ofRoles.value ?? [], limit) }} isOrdered>
        {({ key, date, type, text, roles, editor }) => (
          <Row key={key} term={<Time at={date} />}>
            {eventWords(type, text)} {roles && <span class="small">{roles} · </span>}
            <span class="small">{editor || history.operator}</span>
          </Row>
        )}
      </Rows>
      {found.value?.length === limit && limit < 1_000 && (
        <Button label={history.more} onClick={() => setLimit(Math.min(limit * 5, 1_000))} />
      )}
    </Section>
  );
}

/** What the history shows, down to the oldest of the changes of the user if there are more of them. */
function merge(changes: readonly Change[], events: readonly Event[], limit: number) {
  const oldest = changes.length < limit ? undefined : changes.at(-1)?.changeDate;
  const all = [
    ...changes.map(({ sequence, changeDate, eventType, editorId, editorDisplayName }) => ({
      ...{ key: String(sequence), date: changeDate, type: eventType?.key ?? "", text: eventType?.localizedMessage },
      ...{ roles: "", editor: editorDisplayName || editorId },
    })),
    ...events.map(({ sequence, creationDate, type, payload, editor }) => ({
      ...{ key: `role ${sequence}`, date: creationDate, type: type?.type ?? "" },
      ...{ text: type?.localized?.localizedMessage, roles: [payload?.roles ?? payload?.role ?? []].flat().join(", ") },
      editor: editor?.displayName || editor?.userId,
    })),
  ];
  return all.filter(({ date }) => toMs(date) >= toMs(oldest)).sort((one, other) => toMs(other.date) - toMs(one.date));
}

function toMs(date: Timestamp | undefined): number {
  return date === undefined ? 0 : timestampMs(date);
}

const DAYS_MS = 7 * 86_400_000;

/** The failed sign-ins of the last days, by network and browser. */
export function FailedSignInsSection({ orgId, user: { id: userId } }: UserPart) {
  const { management } = useApi(orgId);
  const found = useLoad(`failed sign-ins ${userId}`, async (signal) => {
    const since = timestampFromDate(new Date(Date.now() - DAYS_MS));
    return (await management.countFailedSignIns({ userId, since }, { signal })).sources;
  });
  return (
    <Section title={texts.value.failedSignIns.title}>
      <FailedSignInRows found={found} />
    </Section>
  );
}
