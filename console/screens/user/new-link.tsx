import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";

const EMPTY = { idpId: "", externalUserId: "", displayName: "" };

interface NewLinkProps {
  readonly orgId: string;
  readonly userId: string;
  readonly onAdded: () => void;
}

/** Links the user to an account at a provider. Nothing if there is no provider. */
export function NewLink({ orgId, userId, onAdded }: NewLinkProps) {
  const { api } = useSession();
  const { links } = texts.value.user;
  const [link, setLink] = useState(EMPTY);
  const found = useLoad(`providers ${orgId}`, async (signal) => {
    return (await api.management.listOrgIDPs({ query: { asc: true, limit: 100 } }, inOrg(orgId, signal))).result;
  });
  const { value: providers = [] } = found;
  const [first] = providers;
  if (first === undefined) return null;
  const idpId = link.idpId || first.id;
  return (
    <details>
      <summary>{links.add}</summary>
      <EditForm
        isChanged={link.externalUserId !== "" || link.displayName !== ""}
        isOffered
        button={links.add}
        save={() => api.management.addHumanLinkedIDP({ ...link, userId, idpId }, inOrg(orgId))}
        onSaved={() => {
          setLink(EMPTY);
          onAdded();
        }}
        onReset={() => setLink(EMPTY)}
        fields={["externalUserId", "displayName"]}
      >
        {(problem) => (
          <div class="fields">
            <Select
              label={links.provider}
              value={idpId}
              options={providers.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(chosen) => setLink({ ...link, idpId: chosen })}
            />
            <Field
              label={links.externalId}
              value={link.externalUserId}
              onInput={(externalUserId) => setLink({ ...link, externalUserId })}
              hint={links.externalIdHint}
              problem={problem}
              path="externalUserId"
              isRequired
            />
            <Field
              label={texts.value.user.fields.displayName}
              value={link.displayName}
              onInput={(displayName) => setLink({ ...link, displayName })}
              problem={problem}
              path="displayName"
            />
          </div>
        )}
      </EditForm>
    </details>
  );
}
