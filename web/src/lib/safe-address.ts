/** The URL if a link in a message may open it: http, https or mailto. Else null. */
export function safeLinkAddress(address: string): string | null {
  return /^(https?:\/\/|mailto:)/i.test(address) ? address : null;
}
