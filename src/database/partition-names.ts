/** The name of a table's partition, or of one of its indexes, by partition number. */
export function toPartitionName(name: string, number: number): string {
  return `${name}__p${number}`;
}

/** Returns the name of a table, index or constraint for its own name or the name of a partition. */
export function withoutPartition(name: string): string {
  return name.replace(/__p\d+$/, "");
}
