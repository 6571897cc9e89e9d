import { useId } from "preact/hooks";

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isReadOnly?: boolean;
}

/** A setting that is on or off, with what it means. */
export function Check({ label, hint, isOn, onChange, isReadOnly }: CheckProps) {
  const id = useId();
  return (
    <div class="setting">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          disabled={isReadOnly}
          aria-describedby={hint && id}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p class="hint" id={id}>
          {hint}
        </p>
      )}
    </div>
  );
}
