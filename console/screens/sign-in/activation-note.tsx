import type { LabelPolicy } from "../../../gen/signet/v1/label_policy_pb.js";
import { ActionButton } from "../../parts/action-button.tsx";
import { texts } from "../../state/language.ts";
import { toBrandingValues } from "./policy-values.ts";
import type { SignInPart } from "./sign-in-page.tsx";

interface ActivationNoteProps extends SignInPart {
  readonly preview: LabelPolicy | undefined;
  readonly active: LabelPolicy | undefined;
}

/** Says whether users see what is saved, and lets it be activated, or given up. */
export function ActivationNote({ calls, owner, mayChange, onChanged, preview, active }: ActivationNoteProps) {
  const { signInPage: own } = texts.value;
  const isInherited = preview?.isDefault ?? false;
  const isActive = describe(preview) === describe(active);
  return (
    <div class="status">
      <p role="status">
        {isActive ? isInherited ? own.inherited[owner] : own.isActive : <strong>{own.notActive}</strong>}
      </p>
      {mayChange && !isActive && <ActionButton label={own.activate} change={calls.activate} onDone={onChanged} />}
      {mayChange && !isInherited && (
        <ActionButton label={own.reset[owner]} isDangerous change={calls.resetBranding} onDone={onChanged} />
      )}
    </div>
  );
}

/** What users see of a policy. */
function describe(policy: LabelPolicy | undefined): string {
  const { isDefault, logoUrl, logoUrlDark, iconUrl, iconUrlDark } = policy ?? {};
  return JSON.stringify([isDefault, toBrandingValues(policy), logoUrl, logoUrlDark, iconUrl, iconUrlDark]);
}
