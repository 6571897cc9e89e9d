/** The name of a partition of a table, or of one of its indexes, by the number of the partition. */
export function toPartitionName(name: string, number: number): string {
  return `${name}__p${number}`;
}

/** The name of the table, index or constraint that a name belongs to, which may be that of a partition. */
export function withoutPartition(name: string): string {
  return name.replace(/__p\d+$/, "");
}
