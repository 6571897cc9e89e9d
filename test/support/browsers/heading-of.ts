/** The heading of a page, which is also its title without "Error:"; empty if it has none. */
export function headingOf(text: string): string {
  return /<h1[^>]*>(?:<svg.*?<\/svg>)?(.*?)<\/h1>/s.exec(text)?.[1] ?? "";
}
