import { Dialog } from "../parts/dialog.tsx";
import { texts } from "../state/language.ts";

/** The keys of the console. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { keys, actions } = texts.value;
  const rows = [
    ["/", keys.search],
    ["g u", keys.users],
    ["g s", keys.settings],
    ["g o", keys.orgs],
    ["?", keys.help],
    ["Esc", keys.close],
  ] as const;
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl>
        {rows.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" class="secondary" onClick={onClose}>
          {actions.close}
        </button>
      </div>
    </Dialog>
  );
}
