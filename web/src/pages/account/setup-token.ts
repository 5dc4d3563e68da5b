/** The token of a set-up link, or of what somebody entered: the link or the token alone. */
export function setupTokenIn(text: string): string {
  const entered = text.trim();
  return tokenOfFragment(entered.slice(entered.indexOf('#') + 1)) ?? entered;
}

/**
 * The token in the part of an address behind its `#`.
 * @returns null when there is none
 */
export function tokenOfFragment(fragment: string): string | null {
  return new URLSearchParams(fragment).get('token') || null;
}
