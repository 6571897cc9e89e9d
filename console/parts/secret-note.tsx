import { texts } from "../state/language.ts";
import { Copyable } from "./copyable.tsx";

/** A secret that cannot be shown again. */
export function SecretNote({ label, secret }: { label: string; secret: string }) {
  return (
    <div class="secret" role="status">
      <p>
        <strong>{label}</strong>
      </p>
      <Copyable text={secret} />
      <p class="small">{texts.value.actions.once}</p>
    </div>
  );
}
