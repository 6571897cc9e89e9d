/** What stands below a field. */
interface FieldNotesProps {
  /** The id of the field. */
  readonly id: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
}

/** The hint and the error of a field, to which its `aria-describedby` points. */
export function FieldNotes({ id, hint, error }: FieldNotesProps) {
  return (
    <>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  );
}

/** The `aria-describedby` of a field with these notes. */
export function describedBy(id: string, hint: string | undefined, error: string | undefined): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
}
