/** Parses a price with a point or a comma; null if invalid. */
export function priceOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  return /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : null;
}
