/**
 * An icon for an extension without one: the initials of its name on a rounded square, as SVG. The same name always
 * yields the same icon.
 * @param label the English display name; only its letters and digits reach the icon
 * @example monogram('LM Studio') // a square with the letters LS
 */
export function monogram(label: string): string {
  const letters = initials(label);
  const size = letters.length > 1 ? 26 : 34;
  // Dark enough for white letters at every hue.
  const colour = `hsl(${hueOf(label)},60%,28%)`;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">',
    `<rect width="64" height="64" rx="14" fill="${colour}"/>`,
    `<text x="32" y="${32 + Math.round(size * 0.36)}" font-family="system-ui,sans-serif" font-size="${size}"`,
    ` font-weight="600" text-anchor="middle" fill="#fff">${letters.join('')}</text>`,
    '</svg>',
  ].join('');
}

/** The first letters of up to two words; a capital within a word starts another. */
function initials(label: string): string[] {
  const words = label
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}]+/u);
  const first = words.flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? []);
  // In capitals some letters become two.
  return first.length === 0 ? ['?'] : first.slice(0, 2).flatMap((letter) => [...letter.toUpperCase()].slice(0, 1));
}

function hueOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) >>> 0;
  return hash % 360;
}
