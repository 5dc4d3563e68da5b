/** A price as somebody types it, with a point or a comma; null when it is none. */
export function priceOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  return /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : null;
}
