/** Pictures of what is not there yet, drawn in 64 by 48. */
const PICTURES = {
  rows: "M8 7h48v9H8zM8 19.5h48v9H8zM8 32h48v9H8zM13 11.5h12M13 24h19M13 36.5h8",
  letter: "M8 10h48v28H8zM8 11l24 17 24-17M8 37l17-15M56 37 39 22",
  people:
    "M32 24a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM16 42c0-9 7-13 16-13s16 4 16 13M14 22a5 5 0 1 0 0-10M50 22a5 5 0 1 1 0-10",
} as const;

/** In place of an empty list: a picture, and what the list is for. */
export function Blank({ picture = "rows", text }: { picture?: keyof typeof PICTURES; text: string }) {
  return (
    <div class="blank">
      <svg viewBox="0 0 64 48" aria-hidden="true">
        <path d={PICTURES[picture]} />
      </svg>
      <p>{text}</p>
    </div>
  );
}
