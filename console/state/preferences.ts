import { effect, signal } from "@preact/signals";

/** What a person prefers in this browser. */
type Theme = "system" | "light" | "dark";

export const theme = stored<Theme>("signet-theme", "system");

/** A signal that this browser keeps. */
export function stored<T>(key: string, initial: T) {
  const kept = localStorage.getItem(key);
  const preference = signal<T>(kept === null ? initial : readJson(kept, initial));
  effect(() => {
    const { value } = preference;
    if (value === initial) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  });
  return preference;
}

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}

function readJson<T>(text: string, otherwise: T): T {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
