/** A list with one item at another place. @param to its index afterwards; the nearest possible one counts */
export function movedItem<Item>(items: readonly Item[], item: Item, to: number): Item[] {
  const others = items.filter((one) => one !== item);
  return others.toSpliced(Math.max(0, to), 0, item);
}
