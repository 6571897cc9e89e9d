import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

const EMPTY = { key: "", value: "" };

/** The values that applications store with the user. */
export function MetadataSection({ orgId, user, mayChange }: UserPart) {
  const { api } = useSession();
  const { metadata, none } = texts.value.user;
  const { remove } = texts.value.actions;
  const { id } = user;
  const [item, setItem] = useState(EMPTY);
  const found = useLoad(`metadata ${id}`, async (signal) => {
    return (await api.management.listUserMetadata({ id, query: { asc: true, limit: 100 } }, inOrg(orgId, signal)))
      .result;
  });
  const save = () => {
    const value = new TextEncoder().encode(item.value);
    return api.management.setUserMetadata({ id, key: item.key, value }, inOrg(orgId));
  };
  return (
    <Section title={metadata.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value?.length === 0 && <p class="quiet">{none}</p>}
      <ul class="rows">
        {found.value?.map(({ key, value }) => (
          <li key={key}>
            <span class="term">{key}</span>
            <span class="value">{toText(value) ?? metadata.bytes(value.length)}</span>
            {mayChange && (
              <ActionButton
                label={remove}
                name={`${remove} ${key}`}
                isDangerous
                change={() => api.management.removeUserMetadata({ id, key }, inOrg(orgId))}
                onDone={found.reload}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <details>
          <summary>{metadata.add}</summary>
          <EditForm
            isChanged={item.key !== "" || item.value !== ""}
            isOffered
            save={save}
            onSaved={() => {
              setItem(EMPTY);
              found.reload();
            }}
            onReset={() => setItem(EMPTY)}
            fields={["key", "value"]}
          >
            {(problem) => (
              <div class="fields">
                <Field
                  label={metadata.key}
                  value={item.key}
                  onInput={(key) => setItem({ ...item, key })}
                  problem={problem}
                  path="key"
                  isRequired
                />
                <Field
                  label={metadata.value}
                  value={item.value}
                  onInput={(value) => setItem({ ...item, value })}
                  problem={problem}
                  path="value"
                  isRequired
                />
              </div>
            )}
          </EditForm>
        </details>
      )}
    </Section>
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
