import { useId, useRef, useState } from "preact/hooks";
import { formatNumber } from "../../parts/time.tsx";
import { importTexts } from "./texts/import-texts.ts";

interface FileDropProps {
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files that are dropped, or chosen with a button. */
export function FileDrop({ files, onFiles }: FileDropProps) {
  const own = importTexts.value;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null | undefined) => {
    if (list && list.length > 0) onFiles([...list]);
  };
  return (
    <section
      class={isOver ? "drop over" : "drop"}
      aria-labelledby={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <p class="term" id={id}>
        {own.files}
      </p>
      <input
        ref={input}
        type="file"
        multiple
        aria-label={own.files}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <div class="buttons">
        <button type="button" class="secondary" onClick={() => input.current?.click()}>
          {own.chooseFiles}
        </button>
        <span class="quiet">{own.dropHere}</span>
      </div>
      <ul>
        {files.map(({ name, size }) => (
          <li key={name}>
            <strong>{name}</strong> <span class="quiet">{formatNumber(Math.ceil(size / 1_000))} kB</span>
          </li>
        ))}
      </ul>
      <p class="hint">{own.filesHint}</p>
    </section>
  );
}
