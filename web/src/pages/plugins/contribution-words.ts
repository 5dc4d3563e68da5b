import type { PluginManifest } from '@parley/sdk';
import type { TFunction } from 'i18next';

/** Kinds of contributions, in the order in which they are shown. */
export const contributionKinds = [
  'tools',
  'commands',
  'listeners',
  'parsers',
  'engines',
  'runners',
  'pages',
  'schedules',
] as const;
export type ContributionKind = (typeof contributionKinds)[number];

/** Names of contributions by kind. Of a newer server there may be others. */
type Names = Readonly<Record<string, readonly string[]>>;

/** How much a plugin adds: "2 tools, 1 command". */
export function contributionsText(names: Names, t: TFunction): string {
  const counts = contributionKinds.filter((kind) => (names[kind] ?? []).length > 0);
  return counts
    .map((kind) => t(`plugins.counts.${kind}`, { count: names[kind]?.length ?? 0 }))
    .join(t('plugins.comma'));
}

/** The name of a contribution as it is shown: points of listeners have words. */
export function contributionName(kind: string, name: string, t: TFunction): string {
  const point = points.find((one) => one === name);
  return kind === 'listeners' && point !== undefined ? t(`plugins.points.${point}`) : name;
}

const points = ['received', 'command', 'prompt', 'question', 'answer', 'sent'] as const;

/** Names of what a manifest adds, by kind, as the server names them. */
export function namesIn({ id, contributes }: PluginManifest): Record<string, string[]> {
  // Each kind of the manifest has entries; parsers and engines are named by the plugin.
  const kinds = Object.entries(contributes) as [string, readonly { name?: string; point?: string }[]][];
  return Object.fromEntries(kinds.map(([kind, list]) => [kind, list.map(({ name, point }) => name ?? point ?? id)]));
}
