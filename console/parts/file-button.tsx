import { useRef } from "preact/hooks";
import { Button, type ButtonProps } from "./button.tsx";

interface FileButtonProps extends Pick<ButtonProps, "label" | "name" | "isInert"> {
  /** What the file is, for screen readers. */
  readonly field: string;
  /** Media types that can be chosen; by default, all. */
  readonly accept?: string;
  readonly isMany?: boolean;
  readonly onFiles: (files: FileList | null) => unknown;
}

/** A button with which people choose files from their computer. */
export function FileButton({ field, accept, isMany = false, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        {...{ ref: input, type: "file", accept, multiple: isMany, "aria-label": field }}
        onChange={async ({ currentTarget }) => {
          await onFiles(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <Button {...button} onClick={() => input.current?.click()} />
    </>
  );
}
