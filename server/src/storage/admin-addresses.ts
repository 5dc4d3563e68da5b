/** The column value of a list of addresses; null stays null. */
export function listColumn(addresses: readonly string[] | null): string | null {
  return addresses === null ? null : JSON.stringify(addresses);
}

export function toList(column: string | null): string[] | null {
  return column === null ? null : (JSON.parse(column) as string[]);
}
