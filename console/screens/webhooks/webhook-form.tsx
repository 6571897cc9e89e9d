import { Check } from "../../parts/check.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { itemsOf, ListField } from "../../parts/list-field.tsx";
import { texts } from "../../state/language.ts";
import { useForm } from "../../state/use-form.ts";

/** The settings of a webhook. */
export interface WebhookValues {
  readonly name: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly includesPayload: boolean;
}

interface WebhookFormProps {
  readonly stored: WebhookValues;
  readonly mayChange: boolean;
  readonly button?: string;
  readonly save: (values: WebhookValues & { eventTypes: string[] }) => Promise<unknown>;
  readonly onSaved: () => void;
}

export function WebhookForm({ stored, mayChange, button, save, onSaved }: WebhookFormProps) {
  const { webhooks, orgs } = texts.value;
  const form = useForm(stored);
  const { values } = form;
  return (
    <EditForm
      isChanged={form.changed.length > 0}
      isOffered={mayChange}
      save={() => {
        const eventTypes = itemsOf(values.eventTypes);
        // Errors are reported by the positions in the request.
        form.set({ eventTypes });
        return save({ ...values, eventTypes });
      }}
      onSaved={onSaved}
      onReset={form.reset}
      fields={["name", "url", "eventTypes"]}
      {...(button && { button })}
    >
      {(problem) => (
        <>
          <Field
            label={orgs.name}
            value={values.name}
            onInput={(name) => form.set({ name })}
            problem={problem}
            path="name"
            isRequired
            isReadOnly={!mayChange}
          />
          <Field
            label={webhooks.url}
            hint={webhooks.urlHint}
            value={values.url}
            onInput={(url) => form.set({ url })}
            problem={problem}
            path="url"
            isRequired
            isReadOnly={!mayChange}
          />
          <ListField
            label={webhooks.eventTypes}
            hint={webhooks.eventTypesHint}
            values={values.eventTypes}
            onChange={(eventTypes) => form.set({ eventTypes })}
            problem={problem}
            path="eventTypes"
            isReadOnly={!mayChange}
            placeholder="user.human.added"
          />
          <Check
            label={webhooks.payload}
            hint={webhooks.payloadHint}
            isOn={values.includesPayload}
            onChange={(includesPayload) => form.set({ includesPayload })}
            isReadOnly={!mayChange}
          />
        </>
      )}
    </EditForm>
  );
}
