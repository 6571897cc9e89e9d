interface NamedType {
  readonly type: string;
  readonly words: string;
}

/** Types of events whose names begin with the same words, such as `user.human`. */
export interface TypeGroup {
  readonly name: string;
  readonly types: readonly NamedType[];
  readonly groups: readonly TypeGroup[];
}

/** Fewer types are not worth a group within a group. */
const LEAST = 3;

/** Groups types by the first word of their names, and these by the second one. */
export function buildTypeTree(types: readonly NamedType[]): TypeGroup[] {
  return groupBy(types, 1).map(([name, ofName]) => {
    const groups = groupBy(ofName, 2).filter(([, ofGroup]) => ofGroup.length >= LEAST);
    const grouped = groups.flatMap(([, ofGroup]) => ofGroup);
    return {
      name,
      types: ofName.filter((type) => !grouped.includes(type)),
      groups: groups.map(([group, ofGroup]) => ({ name: group, types: ofGroup, groups: [] })),
    };
  });
}

/** All types in a group. */
export function typesIn({ types, groups }: TypeGroup): string[] {
  return [...types.map(({ type }) => type), ...groups.flatMap(typesIn)];
}

function groupBy(types: readonly NamedType[], words: number): [string, NamedType[]][] {
  const groups = new Map<string, NamedType[]>();
  for (const each of types) {
    const name = each.type.split(".").slice(0, words).join(".");
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups];
}
