import { useEffect, useRef } from "preact/hooks";
import { texts } from "../state/language.ts";
import { unsavedForms } from "../state/unsaved.ts";
import { Button } from "./button.tsx";

/** Says what is not saved, and saves or discards it. Afterwards, the focus is where it was in the form. */
export function SaveBar() {
  const { actions } = texts.value;
  const forms = unsavedForms.value;
  const isRunning = forms.every((form) => form.isRunning);
  const returnTo = useRef<HTMLElement | null>();
  const leave = (act: "save" | "discard") => {
    returnTo.current = forms[0]?.lastFocused() ?? null;
    for (const form of forms) form[act]();
  };
  useEffect(() => {
    if (forms.length > 0) return;
    // Unless the person has gone elsewhere.
    if (document.activeElement?.matches("body, main")) returnTo.current?.focus({ preventScroll: true });
    returnTo.current = null;
  }, [forms]);
  if (forms.length === 0) return null;
  return (
    <section class="save-bar" aria-label={actions.notSaved}>
      <p>
        {actions.notSaved}
        {texts.value.colon} <strong>{[...new Set(forms.map(({ title }) => title))].join(", ")}</strong>
      </p>
      <Button label={actions.discard} isInert={isRunning} onClick={() => leave("discard")} />
      <Button label={actions.save} look="main" isInert={isRunning} onClick={() => leave("save")} />
    </section>
  );
}
