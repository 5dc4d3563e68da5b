/** The address when a link in a message may lead there: the web or a mail program, nothing of this page. Else null. */
export function safeLinkAddress(address: string): string | null {
  return /^(https?:\/\/|mailto:)/i.test(address) ? address : null;
}
