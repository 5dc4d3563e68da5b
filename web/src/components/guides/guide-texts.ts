import type { Guide } from './guide-list.ts';

/** Each guide is a chunk of its own. */
const texts = import.meta.glob<string>('../../../../docs/{*,platforms/*}.md', { query: '?raw', import: 'default' });
/** Those of the dashboard are in the README only. */
const images = import.meta.glob<string>(['../../../../docs/images/*.png', '!**/dashboard-*.png'], {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The path of a guide below `docs`. */
function fileOf(guide: Guide): string | undefined {
  const name = guide.name === 'platforms' ? 'README' : guide.name.replace(/-zh$/, '.zh');
  return [`${name}.md`, `platforms/${name}.md`].find((path) => `../../../../docs/${path}` in texts);
}

/** The Markdown of a guide, without comments. */
export async function guideText(guide: Guide): Promise<string> {
  const text = await texts[`../../../../docs/${fileOf(guide)}`]?.();
  if (text === undefined) throw new Error(`${guide.name} is no file of the guides`);
  return text.replace(/<!--.*?-->\n*/gs, '').trim();
}

/** The address of a picture that a guide shows, or null. @param path as it is written in the guide */
export function guideImage(path: string): string | null {
  return images[`../../../../docs/images/${path.split('/').at(-1)}`] ?? null;
}
