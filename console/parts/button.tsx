export interface ButtonProps {
  readonly label: string;
  /** For screen readers, if several buttons have the same label. */
  readonly name?: string | undefined;
  /** By default, one beside the main button of its page or dialog. */
  readonly look?: "main" | "secondary" | "danger" | "secondary danger" | "link";
  /** Whether it does nothing for now, such as while a call is running. Unlike a disabled one, it keeps the focus. */
  readonly isInert?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => unknown;
}

/** A button that does something in the page. */
export function Button({ label, name, look = "secondary", isInert, isDisabled, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      class={look === "main" ? "" : look}
      aria-label={name}
      aria-disabled={isInert}
      disabled={isDisabled}
      onClick={onClick}
    >
      {label}
    </button>
  );
}
