import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';
import { reasonText } from '../../lib/error-text.ts';
import { isUnderWay, type KnowledgeDocument } from './knowledge-queries.ts';

const tones = {
  queued: 'neutral',
  parsing: 'busy',
  chunking: 'busy',
  embedding: 'busy',
  ready: 'good',
  failed: 'bad',
  cancelled: 'neutral',
} as const;

/** The progress of a document, or its error. */
export function DocumentStage({ document }: { document: KnowledgeDocument }) {
  const { t } = useTranslation();
  const { stage, progress, reason, error, warnings } = document;
  return (
    <div className="flex flex-col items-start gap-1.5 max-md:items-end">
      <span className="flex flex-wrap items-center gap-1.5">
        <Badge tone={tones[stage]}>{t(`knowledge.stages.${stage}`)}</Badge>
        {stage === 'ready' && warnings.length > 0 && (
          <Badge tone="warning">{t('knowledge.warningCount', { count: warnings.length })}</Badge>
        )}
      </span>
      {isUnderWay(document) && progress.total > 0 && (
        <div className="w-36">
          <ProgressBar label={t(`knowledge.stages.${stage}`)} part={progress.done / progress.total} />
          <span className="mt-1 block text-xs text-muted-foreground tabular-nums">
            {t(stage === 'parsing' ? 'knowledge.pagesDone' : 'knowledge.chunksDone', progress)}
          </span>
        </div>
      )}
      {stage === 'failed' && (
        <span className="max-w-72 text-xs text-pretty text-destructive">{reasonText(reason ?? '', t) ?? error}</span>
      )}
    </div>
  );
}
