import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time.tsx';
import { fileSize } from '../../lib/file-size.ts';
import type { PluginDetails } from './plugin-queries.ts';

/** The versions of a plugin whose files are stored. */
export function VersionList({ details }: { details: PluginDetails }) {
  const { t, i18n } = useTranslation();
  const versions = (['installed', 'update', 'previous'] as const).flatMap((role) => {
    const version = details[role];
    return version === null ? [] : [{ role, version }];
  });
  return (
    <ul className="divide-y rounded-2xl border bg-card text-sm">
      {versions.map(({ role, version }) => (
        <li key={role} className="px-4 py-3">
          <p className="flex flex-wrap items-baseline gap-x-2.5">
            <span className="font-medium">{version.version}</span>
            <span className="text-muted-foreground">
              {t(`plugins.versionRoles.${role}`)} · {t(`plugins.sources.${version.source}`)} ·{' '}
              {fileSize(version.size, i18n.language)} · <RelativeTime timestamp={version.installed_at} />
            </span>
          </p>
          <p className="mt-0.5 font-mono text-xs break-all text-muted-foreground">
            {t('plugins.digest', { digest: version.digest })}
          </p>
        </li>
      ))}
    </ul>
  );
}
