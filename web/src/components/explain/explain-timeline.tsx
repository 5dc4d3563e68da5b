import { useQuery } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../states/loaded.tsx';
import { ExplainModelCalls, ExplainToolCalls } from './explain-calls.tsx';
import { ExplainDeliveries } from './explain-deliveries.tsx';
import { ExplainFacts } from './explain-facts.tsx';
import { ExplainFailure } from './explain-failure.tsx';
import { ExplainCitations, ExplainRetrievals } from './explain-knowledge.tsx';
import { ExplainPart, Nothing } from './explain-part.tsx';
import { ExplainSteps } from './explain-steps.tsx';
import { summaryOf } from './explain-words.ts';
import { type Explanation, isUnderWay } from './explanation.ts';
import { explanationQuery } from './explanation-query.ts';

interface ExplainTimelineProps {
  /** Of any message, also of an answer. */
  messageUuid: string;
  /** Shows another message of the group. Without it, they are only counted. */
  onOpenMessage?: (uuid: string) => void;
}

/**
 * The trace of a message: outcome, steps, model and tool calls, knowledge and deliveries. Refreshes while the message
 * is being processed. Its headings have level 3.
 */
export function ExplainTimeline({ messageUuid, onOpenMessage }: ExplainTimelineProps) {
  const query = useQuery(explanationQuery(messageUuid));
  return (
    <Loaded query={query} rows={4}>
      {(explanation) => <Story explanation={explanation} onOpenMessage={onOpenMessage} />}
    </Loaded>
  );
}

interface StoryProps {
  explanation: Explanation;
  onOpenMessage: ExplainTimelineProps['onOpenMessage'];
}

function Story({ explanation, onOpenMessage }: StoryProps) {
  const { t, i18n } = useTranslation();
  const { steps, model_calls, tool_calls, retrievals, citations, deliveries, merged, merged_into } = explanation;
  const underWay = isUnderWay(explanation);
  return (
    <div className="space-y-6">
      <div>
        <p className="font-medium text-pretty break-words">{summaryOf(explanation, t, i18n.language)}</p>
        <ExplainFailure explanation={explanation} />
        <div role="status">
          {underWay && (
            <p className="mt-1 flex items-center gap-2 text-sm text-muted-foreground">
              <LoaderCircle aria-hidden className="size-4 motion-safe:animate-spin" />
              {t('explain.underWay')}
            </p>
          )}
        </div>
      </div>
      <ExplainFacts explanation={explanation} />
      {(merged.length > 0 || merged_into !== null) && (
        <div className="text-sm">
          {merged_into !== null && (
            <Others label={t('explain.mergedInto')} uuids={[merged_into]} onOpenMessage={onOpenMessage} />
          )}
          {merged.length > 0 && <Others label={t('explain.mergedWith')} uuids={merged} onOpenMessage={onOpenMessage} />}
        </div>
      )}
      <ExplainPart title={t('explain.way')} text={steps.length > 0 ? t('explain.wayText') : undefined}>
        {steps.length > 0 ? (
          <ExplainSteps steps={steps} />
        ) : (
          <Nothing>{t(underWay ? 'explain.stepsFollow' : 'explain.noSteps')}</Nothing>
        )}
      </ExplainPart>
      {model_calls.length > 0 && (
        <ExplainPart title={t('explain.modelCalls')} count={model_calls.length}>
          <ExplainModelCalls messageUuid={explanation.message.uuid} calls={model_calls} />
        </ExplainPart>
      )}
      {tool_calls.length > 0 && (
        <ExplainPart title={t('explain.toolCalls')} count={tool_calls.length}>
          <ExplainToolCalls calls={tool_calls} />
        </ExplainPart>
      )}
      {retrievals.length > 0 && (
        <ExplainPart title={t('explain.retrievals')} count={retrievals.length}>
          <ExplainRetrievals explanation={explanation} />
        </ExplainPart>
      )}
      {citations !== null && (
        <ExplainPart title={t('explain.citations')} count={citations.cited.length}>
          <ExplainCitations explanation={explanation} citations={citations} />
        </ExplainPart>
      )}
      {!underWay || deliveries.length > 0 ? (
        <ExplainPart title={t('explain.deliveries')} count={deliveries.length}>
          {deliveries.length > 0 ? (
            <ExplainDeliveries messageUuid={explanation.message.uuid} deliveries={deliveries} />
          ) : (
            <Nothing>{t('explain.noDeliveries')}</Nothing>
          )}
        </ExplainPart>
      ) : null}
    </div>
  );
}

interface OthersProps {
  label: string;
  uuids: readonly string[];
  onOpenMessage: ExplainTimelineProps['onOpenMessage'];
}

/** Messages that were answered together with this one. */
function Others({ label, uuids, onOpenMessage }: OthersProps) {
  const { t } = useTranslation();
  const nameOf = (index: number) =>
    uuids.length === 1 ? t('explain.anotherMessage') : t('explain.otherMessage', { number: index + 1 });
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      <span className="text-muted-foreground">{label}</span>
      {uuids.map((uuid, index) =>
        onOpenMessage === undefined ? (
          <span key={uuid}>{nameOf(index)}</span>
        ) : (
          <button
            key={uuid}
            type="button"
            onClick={() => onOpenMessage(uuid)}
            className="rounded py-0.5 font-medium text-primary underline underline-offset-4"
          >
            {nameOf(index)}
          </button>
        ),
      )}
    </p>
  );
}
