import type { DescEnum, DescEnumValue, DescField, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";

/** Paragraphs of the comment before a declaration. Field names in backticks become JSON names. */
export function paragraphsOf(
  desc: DescEnum | DescEnumValue | DescField | DescMessage | DescMethod | DescService,
): string[] {
  const lines = (getComments(desc).leading ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("buf:lint:"));
  return lines
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\n/g, " ").trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) =>
      paragraph.replace(/`([a-z]+(?:_[a-z0-9]+)+)`/g, (_, name: string) => `\`${toCamelCase(name)}\``),
    );
}

/** The comment before a declaration as Markdown. */
export function descriptionOf(desc: Parameters<typeof paragraphsOf>[0]): string {
  return paragraphsOf(desc).join("\n\n");
}

function toCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
