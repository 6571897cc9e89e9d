import { useState } from "preact/hooks";
import { AppState, OIDCAuthMethodType } from "../../../gen/signet/v1/app_pb.js";
import { inOrg } from "../../api/api.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { SecretNote } from "../../parts/secret-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import type { AppPart } from "./app-form.tsx";

const ACTIONS = ["newSecret", "deactivate", "reactivate", "remove"] as const;
type Action = (typeof ACTIONS)[number];

/** Replaces the secret, deactivates, reactivates or removes the application. */
export function AppActions({ orgId, app, mayChange, permissions, onChanged }: AppPart) {
  const { api } = useSession();
  const { apps } = texts.value;
  const [action, setAction] = useState<Action>();
  const [secret, setSecret] = useState("");
  if (!permissions.can("org.app.write")) return null;
  const method = app.config.value?.authMethodType;
  const isActive = app.state === AppState.ACTIVE;
  const hasSecret =
    method === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC ||
    method === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST;
  const isOffered: Readonly<Record<Action, boolean>> = {
    newSecret: mayChange && hasSecret,
    deactivate: isActive,
    reactivate: !isActive,
    remove: true,
  };
  const call = inOrg(orgId);
  const request = { appId: app.id };
  const changes: Readonly<Record<Action, () => Promise<unknown>>> = {
    newSecret: async () => setSecret((await api.management.regenerateOIDCClientSecret(request, call)).clientSecret),
    deactivate: () => api.management.deactivateApp(request, call),
    reactivate: () => api.management.reactivateApp(request, call),
    remove: () => api.management.removeApp(request, call),
  };
  return (
    <>
      {secret && <SecretNote label={apps.clientSecret} secret={secret} />}
      <div class="buttons">
        {ACTIONS.filter((name) => isOffered[name]).map((name) => (
          <button
            key={name}
            type="button"
            class={name === "remove" ? "secondary danger" : "secondary"}
            onClick={() => setAction(name)}
          >
            {apps.actions[name].label}
          </button>
        ))}
        {action && (
          <ConfirmDialog
            title={`${apps.actions[action].label}: ${app.name}`}
            button={apps.actions[action].label}
            isDangerous={action !== "reactivate"}
            change={changes[action]}
            onDone={() => {
              setAction(undefined);
              if (action === "remove") go(toPath({ page: "apps", orgId }));
              else onChanged();
            }}
            onClose={() => setAction(undefined)}
          >
            <p>{apps.actions[action].text}</p>
          </ConfirmDialog>
        )}
      </div>
    </>
  );
}
