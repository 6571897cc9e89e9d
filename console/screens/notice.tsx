import { useEffect } from "preact/hooks";
import { Button } from "../parts/button.tsx";

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

/** A page outside of a session. */
export function Notice({ title, text, action }: NoticeProps) {
  useEffect(() => {
    document.title = `${title} · Signet`;
  }, [title]);
  return (
    <main class="card">
      <h1>{title}</h1>
      <p>{text}</p>
      {action && <Button label={action.label} look="main" onClick={action.onClick} />}
    </main>
  );
}
