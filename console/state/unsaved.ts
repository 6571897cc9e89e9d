import { signal } from "@preact/signals";

interface UnsavedForm {
  readonly title: string;
  readonly isRunning: boolean;
  save(): void;
  discard(): void;
  /** The field in which the person was. */
  lastFocused(): HTMLElement | null;
}

/** Those of the page that have no button of their own. */
export const unsavedForms = signal<readonly UnsavedForm[]>([]);

/** @returns Forgets the form. */
export function addUnsaved(form: UnsavedForm): () => void {
  unsavedForms.value = [...unsavedForms.peek(), form];
  return () => {
    unsavedForms.value = unsavedForms.peek().filter((each) => each !== form);
  };
}
