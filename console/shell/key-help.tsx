import { Fragment } from "preact";
import { Dialog } from "../parts/dialog.tsx";
import { texts } from "../state/language.ts";
import type { offeredLinks } from "./links.ts";

/** The keys of the console. */
export function KeyHelp({ links, onClose }: { links: ReturnType<typeof offeredLinks>; onClose: () => void }) {
  const { keys, actions, shell } = texts.value;
  const pages = [...links.org, ...links.instance].map(({ key, page }) => [`g ${key}`, shell.pages[page]] as const);
  const rows = [
    ["/", keys.search] as const,
    ["↓ ↑", keys.list] as const,
    ["g g", keys.orgs] as const,
    ...pages,
    ["?", keys.help] as const,
    ["Esc", keys.close] as const,
  ];
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl>
        {rows.map(([key, meaning]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
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
