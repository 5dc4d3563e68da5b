import type { PluginManifest } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { pipelinesQuery } from './plugin-queries.ts';
import { isBound, pipelinesUsing } from './using-pipelines.ts';

/** The pipelines in which a plugin is used. */
export function PipelineLinks({ manifest }: { manifest: PluginManifest }) {
  const { t } = useTranslation();
  const pipelines = useQuery(pipelinesQuery);
  if (pipelines.data === undefined) return null;
  const using = pipelinesUsing(pipelines.data, manifest);
  const isUsable = isBound(manifest) || manifest.contributes.runners !== undefined;
  return (
    <div className="space-y-2 rounded-2xl border bg-card px-4 py-3.5 text-sm">
      {using.length === 0 ? (
        <p className="text-pretty text-muted-foreground">
          {t(isUsable ? 'plugins.noPipelines' : 'plugins.notInPipelines')}
        </p>
      ) : (
        <ul className="space-y-1.5">
          {using.map(({ uuid, name, extensions_preferences: { enable_all_plugins } }) => (
            <li key={uuid} className="flex flex-wrap items-baseline gap-x-2">
              <Link
                to="/pipelines/$uuid"
                params={{ uuid }}
                search={{ tab: 'extensions' }}
                className="rounded font-medium break-words underline underline-offset-4"
              >
                {name}
              </Link>
              {enable_all_plugins && <span className="text-muted-foreground">{t('plugins.usesAll')}</span>}
            </li>
          ))}
        </ul>
      )}
      {isBound(manifest) && <p className="text-pretty text-muted-foreground">{t('plugins.pipelinesHelp')}</p>}
    </div>
  );
}
