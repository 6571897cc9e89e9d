import { Dialog } from "../parts/dialog.tsx";
import { useSession } from "../state/context.ts";
import { texts } from "../state/language.ts";
import { forgetUnsaved } from "../state/location.ts";
import { isSessionOver, renewSession } from "../state/session.ts";

/** Appears if the session ends while the person changes something, instead of leaving the page at once. */
export function SessionOver() {
  const { settings } = useSession();
  const { signIn, actions } = texts.value;
  if (!isSessionOver.value) return null;
  const close = () => {
    isSessionOver.value = false;
  };
  const renew = () => {
    forgetUnsaved();
    renewSession(settings);
  };
  return (
    <Dialog title={signIn.over} onClose={close}>
      <p>{signIn.overText}</p>
      <div class="buttons">
        <button type="button" onClick={renew}>
          {signIn.signIn}
        </button>
        <button type="button" class="secondary" onClick={close}>
          {actions.cancel}
        </button>
      </div>
    </Dialog>
  );
}
