import { useState } from "preact/hooks";
import type { Org } from "../../../gen/signet/v1/org_pb.js";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import type { Permissions } from "../../state/permissions.ts";
import { Section } from "../user/section.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";

/** Removes the organization with everything in it. Somebody without a role in the instance signs out with it. */
export function RemoveSection({ org, permissions }: { org: Org; permissions: Permissions }) {
  const { instance } = useSession();
  const { orgs } = texts.value;
  const [isAsking, setAsking] = useState(false);
  const ofInstance = instance.can("iam.org.delete");
  if (!ofInstance && !permissions.can("org.delete")) return null;
  return (
    <Section title={orgs.remove}>
      <p>{orgs.removeText}</p>
      <button type="button" class="secondary danger" onClick={() => setAsking(true)}>
        {orgs.remove}
      </button>
      {isAsking && <RemoveDialog org={org} ofInstance={ofInstance} onClose={() => setAsking(false)} />}
    </Section>
  );
}
