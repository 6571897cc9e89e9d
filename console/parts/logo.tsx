export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="11" />
      <path d="M15.6 8.9c-.7-1.2-2-1.9-3.6-1.9-2 0-3.6 1-3.6 2.6 0 3.6 7.4 1.6 7.4 5 0 1.5-1.6 2.4-3.7 2.4-1.9 0-3.3-.8-3.9-2.1" />
    </svg>
  );
}
