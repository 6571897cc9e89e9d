/** The columns that a statement returns for the object that it wrote. */
export interface ObjectRow {
  sequence: bigint;
  created_at: Date;
  changed_at: Date;
}

/** The `details` of an object in responses (docs/api.md). */
export interface ObjectDetails {
  /** Of the last event of the object. */
  readonly sequence: bigint;
  readonly creationDate: Date;
  readonly changeDate: Date;
  readonly resourceOwner: string;
}

/** The result of an operation that changes an object. */
export interface Changed {
  readonly details: ObjectDetails;
}

/** The result of an operation that changes the object in a row. */
export function toChanged(row: ObjectRow, resourceOwner: string): Changed {
  return { details: toObjectDetails(row, resourceOwner) };
}

export function toObjectDetails(row: ObjectRow, resourceOwner: string): ObjectDetails {
  const { sequence, created_at: creationDate, changed_at: changeDate } = row;
  return { sequence, creationDate, changeDate, resourceOwner };
}
