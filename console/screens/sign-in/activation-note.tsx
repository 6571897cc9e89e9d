import type {
  GetLabelPolicyResponse,
  GetPreviewLabelPolicyResponse,
} from "../../../gen/signet/v1/label_policy_org_pb.js";
import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { toBrandingValues } from "./policy-values.ts";
import type { SignInPart } from "./sign-in-page.tsx";

interface ActivationNoteProps extends SignInPart {
  readonly preview: GetPreviewLabelPolicyResponse;
  readonly active: GetLabelPolicyResponse;
}

/** Says whether users see what is saved, and lets it be activated, or given up. */
export function ActivationNote({ orgId, mayChange, onChanged, preview, active }: ActivationNoteProps) {
  const { api } = useSession();
  const { signInPage: own } = texts.value;
  const call = inOrg(orgId);
  const isActive = describe(preview) === describe(active);
  return (
    <div class="status">
      <p role="status">
        {isActive ? preview.isDefault ? own.inherited : own.isActive : <strong>{own.notActive}</strong>}
      </p>
      {mayChange && !isActive && (
        <ActionButton
          label={own.activate}
          change={() => api.management.activateCustomLabelPolicy({}, call)}
          onDone={onChanged}
        />
      )}
      {mayChange && !preview.isDefault && (
        <ActionButton
          label={own.reset}
          isDangerous
          change={() => api.management.resetLabelPolicyToDefault({}, call)}
          onDone={onChanged}
        />
      )}
    </div>
  );
}

/** What users see of a policy. */
function describe({ policy, isDefault }: GetPreviewLabelPolicyResponse | GetLabelPolicyResponse): string {
  const { logoUrl, logoUrlDark, iconUrl, iconUrlDark } = policy ?? {};
  return JSON.stringify([isDefault, toBrandingValues(policy), logoUrl, logoUrlDark, iconUrl, iconUrlDark]);
}
