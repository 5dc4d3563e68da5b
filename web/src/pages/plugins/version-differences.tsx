import type { PluginManifest } from '@parley/sdk';
import { useTranslation } from 'react-i18next';
import { contributionKinds, contributionName } from './contribution-words.ts';
import { PermissionSentences } from './permission-list.tsx';
import type { Differences } from './plugin-queries.ts';

interface VersionDifferencesProps {
  differences: Differences;
  version: string;
  manifest: PluginManifest;
}

/** What is new in a version, and what it has no more, in comparison with the installed one. */
export function VersionDifferences({ differences, version, manifest }: VersionDifferencesProps) {
  const { t } = useTranslation();
  const { permissions, contributions, settings, installed_version } = differences;
  const changes = (which: 'added' | 'removed') => [
    ...contributionKinds.flatMap((kind) =>
      (contributions[kind]?.[which] ?? []).map((name) =>
        t('plugins.differences.contribution', {
          kind: t(`plugins.kinds.${kind}`),
          name: contributionName(kind, name, t),
        }),
      ),
    ),
    ...settings[which].map((name) => t('plugins.differences.setting', { name })),
  ];
  const isSame = ![permissions.added, permissions.removed, changes('added'), changes('removed')].some(
    (list) => list.length > 0,
  );
  return (
    <div className="space-y-3 rounded-2xl border bg-card px-4 py-3.5 text-sm">
      <p>{t('plugins.differences.versions', { from: installed_version, to: version })}</p>
      {isSame && <p className="text-muted-foreground">{t('plugins.differences.none')}</p>}
      {permissions.added.length > 0 && (
        <Part title={t('plugins.differences.permissionsAdded')}>
          <PermissionSentences permissions={permissions.added} manifest={manifest} />
        </Part>
      )}
      {permissions.removed.length > 0 && (
        <Part title={t('plugins.differences.permissionsRemoved')}>
          <PermissionSentences permissions={permissions.removed} manifest={manifest} />
        </Part>
      )}
      {(['added', 'removed'] as const).map((which) => {
        const texts = changes(which);
        if (texts.length === 0) return null;
        return (
          <Part key={which} title={t(`plugins.differences.${which}`)}>
            <ul className="list-disc space-y-1 pl-5">
              {texts.map((text) => (
                <li key={text} className="break-words">
                  {text}
                </li>
              ))}
            </ul>
          </Part>
        );
      })}
    </div>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 font-medium">{title}</h3>
      {children}
    </section>
  );
}
