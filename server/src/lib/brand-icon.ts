import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getIconSlug, getIconsData, svgToPath } from 'simple-icons/sdk';

/** Colours of brands by their names; read once, when the first logo is wanted. */
let colours: Promise<ReadonlyMap<string, string>> | undefined;

/**
 * The logo of a brand on a rounded square in its colour, as SVG.
 * @param brand the name of its file in Simple Icons
 * @returns null when Simple Icons does not have it
 */
export async function brandIcon(brand: string): Promise<string | null> {
  colours ??= readColours();
  const hex = (await colours).get(brand);
  if (hex === undefined) return null;
  const file = fileURLToPath(import.meta.resolve(`simple-icons/icons/${brand}.svg`));
  const path = svgToPath(await readFile(file, 'utf8'));
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">',
    `<rect width="64" height="64" rx="14" fill="#${hex}"/>`,
    `<path transform="translate(14 14) scale(1.5)" fill="${isLight(hex) ? '#111' : '#fff'}" d="${path}"/>`,
    '</svg>',
  ].join('');
}

async function readColours(): Promise<ReadonlyMap<string, string>> {
  return new Map((await getIconsData()).map((icon) => [getIconSlug(icon), icon.hex]));
}

/** Whether a white logo could hardly be seen on the colour, by the weights of the eye for red, green and blue. */
function isLight(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = Buffer.from(hex, 'hex');
  return 0.299 * red + 0.587 * green + 0.114 * blue > 186;
}
