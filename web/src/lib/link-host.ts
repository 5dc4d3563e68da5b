/** The host or mail address to show next to a link. Null if the text of the link contains it. */
export function hostBeside(href: string, text: string): string | null {
  const target = parse(href);
  if (target === null) return null;
  const said = text.trim();
  if (target.protocol === 'mailto:') return target.pathname === said ? null : target.pathname;
  const shown = parse(/^https?:\/\//i.test(said) ? said : `https://${said}`);
  // Letters of other scripts may look like Latin ones; the encoded host reveals them.
  const isPlain = target.username === '' && target.password === '' && !target.host.includes('xn--');
  return isPlain && shown?.host === target.host ? null : target.host;
}

function parse(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
