/** The token of a set-up link, or of user input: the link or only the token. */
export function setupTokenIn(text: string): string {
  const entered = text.trim();
  return tokenOfFragment(entered.slice(entered.indexOf('#') + 1)) ?? entered;
}

/**
 * The token in the fragment of a URL.
 * @returns null without a token
 */
export function tokenOfFragment(fragment: string): string | null {
  return new URLSearchParams(fragment).get('token') || null;
}
