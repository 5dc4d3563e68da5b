import type { PluginManifest } from '@parley/sdk';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { localized } from '../../lib/i18n.ts';
import { type Allowed, allowedBy, effects, isAmong } from './permission-words.ts';
import type { Permission } from './plugin-queries.ts';

interface PermissionListProps {
  permissions: readonly Permission[];
  /** Names its settings. */
  manifest: PluginManifest;
  /** Those that the installed version does not have. */
  added?: readonly Permission[];
}

/** What a plugin may see, change, reach and spend. */
export function PermissionList({ permissions, manifest, added = [] }: PermissionListProps) {
  const { t } = useTranslation();
  const sentences = permissions.flatMap((permission) =>
    sentencesOf(permission, manifest, t).map((sentence) => ({ sentence, isNew: isAmong(added, permission) })),
  );
  return (
    <dl className="divide-y rounded-2xl border bg-card text-sm">
      {effects.map((effect) => {
        const own = sentences.filter(({ sentence }) => sentence.effect === effect);
        if (own.length === 0 && effect === 'other') return null;
        return (
          <div key={effect} className="gap-x-6 gap-y-1.5 px-4 py-3.5 sm:grid sm:grid-cols-[11rem_1fr]">
            <dt className="font-medium max-sm:mb-1.5">{t(`plugins.effects.${effect}`)}</dt>
            <dd>
              {own.length === 0 ? (
                <span className="text-muted-foreground">{t('common.none')}</span>
              ) : (
                <ul className="space-y-1.5">
                  {own.map(({ sentence, isNew }) => (
                    <li key={sentence.text} className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
                      <Sentence {...sentence} />
                      {isNew && <Badge tone="warning">{t('plugins.added')}</Badge>}
                    </li>
                  ))}
                </ul>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Permissions as a plain list of sentences. */
export function PermissionSentences({ permissions, manifest }: Omit<PermissionListProps, 'added'>) {
  const { t } = useTranslation();
  return (
    <ul className="list-disc space-y-1 pl-5">
      {permissions.flatMap((permission) =>
        sentencesOf(permission, manifest, t).map((sentence) => (
          <li key={`${sentence.effect} ${sentence.text}`}>
            <span className="text-muted-foreground">{t(`plugins.effects.${sentence.effect}`)}:</span>{' '}
            <Sentence {...sentence} />
          </li>
        )),
      )}
    </ul>
  );
}

function Sentence({ text, isEnglish }: Allowed) {
  return (
    <span className="min-w-0 text-pretty break-words" lang={isEnglish ? 'en' : undefined}>
      {text}
    </span>
  );
}

function sentencesOf(
  permission: Permission,
  { settings }: PluginManifest,
  t: Parameters<typeof allowedBy>[1],
): Allowed[] {
  return allowedBy(permission, t, (name) => {
    const label = settings?.properties[name]?.['x-label'];
    return label === undefined ? name : localized(label);
  });
}
