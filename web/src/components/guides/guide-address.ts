import { type GuideName, guides } from './guide-list.ts';

/** What a link of a guide leads to: a heading of a guide, another site, a description of the API, or nothing here. */
export type GuideTarget =
  | { kind: 'guide'; name: GuideName; hash: string }
  | { kind: 'heading'; hash: string }
  | { kind: 'site'; address: string }
  | { kind: 'api' }
  | null;

/** @param address as it is written in a guide. Files of the repository that are no guides are null. */
export function guideTarget(address: string): GuideTarget {
  if (/^https?:\/\//i.test(address)) return { kind: 'site', address };
  const [path = '', hash = ''] = address.split('#');
  if (path === '') return hash === '' ? null : { kind: 'heading', hash };
  if (/^(\.\.\/)?openapi\.json$/.test(path)) return { kind: 'api' };
  const [, folder = '', file] = /^(?:\.\/|\.\.\/|docs\/)?(platforms\/)?([\w.-]+)\.md$/.exec(path) ?? [];
  // The server takes an address with a dot for a file.
  const name = file === 'README' && folder !== '' ? 'platforms' : file?.replace('.zh', '-zh');
  const guide = guides.find((one) => one.name === name);
  return guide === undefined ? null : { kind: 'guide', name: guide.name, hash };
}

/** The anchor of a heading, as on GitHub. */
export function headingAnchor(heading: string): string {
  const words = heading.trim().toLowerCase();
  return words.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-');
}
