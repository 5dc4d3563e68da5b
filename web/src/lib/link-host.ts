/**
 * What to show beside a link so that readers know where it leads: the host, or the address of a mail. Null when the text of
 * the link says it already.
 */
export function hostBeside(href: string, text: string): string | null {
  const target = parse(href);
  if (target === null) return null;
  const said = text.trim();
  if (target.protocol === 'mailto:') return target.pathname === said ? null : target.pathname;
  const shown = parse(/^https?:\/\//i.test(said) ? said : `https://${said}`);
  // Letters of other scripts look like Latin ones; the host shows them for what they are.
  const isPlain = target.username === '' && target.password === '' && !target.host.includes('xn--');
  return isPlain && shown?.host === target.host ? null : target.host;
}

function parse(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
