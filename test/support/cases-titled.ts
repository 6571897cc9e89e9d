/** Selects the cases with these titles, in the order of the titles. Throws for an unknown title. */
export function casesTitled<Case extends { readonly title: string }>(
  cases: readonly Case[],
  titles: readonly string[],
): Case[] {
  return titles.map((title) => {
    const found = cases.find((each) => each.title === title);
    if (found === undefined) throw new Error(`no case has the title "${title}"`);
    return found;
  });
}
