import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../lib/account.ts';
import { reasonWords } from '../../lib/error-text.ts';
import { failureOfRecord } from '../../lib/failure.ts';
import { fileSize } from '../../lib/file-size.ts';
import { duration, number } from '../../lib/number-text.ts';
import { useMoney } from '../../lib/price-currency.ts';
import { Badge } from '../badge.tsx';
import { FailureContent } from '../failure/failure-content.tsx';
import { Facts, RawText } from './explain-part.tsx';
import { toolStateWords } from './explain-words.ts';
import type { Explanation } from './explanation.ts';
import { ModelRequest } from './model-request.tsx';

/** Model calls, including failed ones before a fallback. */
export function ExplainModelCalls({ messageUuid, calls }: { messageUuid: string; calls: Explanation['model_calls'] }) {
  const { t, i18n } = useTranslation();
  const isAdmin = useIsAdmin();
  const language = i18n.language;
  const money = useMoney();
  return (
    <ul className="space-y-2">
      {calls.map((call) => (
        <li key={call.uuid} className="rounded-xl border p-3">
          <div className="mb-1.5 flex items-baseline gap-2">
            <span className="min-w-0 flex-1 text-sm font-medium break-words">{call.model_name}</span>
            {call.reason !== null && <Badge tone="bad">{t('explain.failedCall')}</Badge>}
            <span className="shrink-0 text-xs text-muted-foreground tabular-nums">
              {duration(call.milliseconds, language)}
            </span>
          </div>
          <Facts
            facts={[
              [t('explain.input'), number(call.input_tokens, language)],
              [t('explain.output'), number(call.output_tokens, language)],
              ...(call.first_piece_milliseconds === null
                ? []
                : ([[t('explain.firstPiece'), duration(call.first_piece_milliseconds, language)]] as const)),
              ...(call.cost === null ? [] : ([[t('explain.cost'), money(call.cost, 6)]] as const)),
            ]}
          />
          {call.reason !== null && (
            <div className="mt-1.5 text-sm text-destructive">
              <FailureContent
                failure={failureOfRecord(
                  {
                    reason: call.reason,
                    error: call.error,
                    response: call.failure?.response ?? null,
                    hint: call.failure?.hint ?? null,
                  },
                  t,
                )}
              />
            </div>
          )}
          {/* External services send the requests to their models themselves. */}
          {isAdmin && call.model_uuid !== null && <ModelRequest messageUuid={messageUuid} callUuid={call.uuid} />}
        </li>
      ))}
    </ul>
  );
}

/** Tool calls, with arguments and results. */
export function ExplainToolCalls({ calls }: { calls: Explanation['tool_calls'] }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  return (
    <ul className="space-y-2">
      {calls.map((call) => (
        <li key={call.uuid} className="rounded-xl border p-3">
          <div className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1 font-mono text-sm break-words">{call.tool_name}</span>
            <Badge tone={call.state === 'running' ? 'busy' : call.state === 'succeeded' ? 'good' : 'bad'}>
              {toolStateWords(String(call.state), t)}
            </Badge>
            {call.milliseconds !== null && (
              <span className="shrink-0 text-xs text-muted-foreground tabular-nums">
                {duration(call.milliseconds, language)}
              </span>
            )}
          </div>
          <Fault reason={call.reason} error={call.error} />
          <details className="mt-1.5">
            <summary className="w-fit cursor-pointer rounded py-1 text-xs text-muted-foreground hover:text-foreground">
              {t('common.details')}
            </summary>
            <div className="mt-1 space-y-2">
              <RawText label={t('explain.parameters')} text={call.parameters} />
              {call.result !== null && (
                <RawText
                  label={
                    call.result_size === null
                      ? t('explain.result')
                      : `${t('explain.result')} (${t('explain.resultSize', { size: fileSize(call.result_size, language) })})`
                  }
                  text={call.result}
                />
              )}
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

/** The reason of a failure, and the error of the other side. */
export function Fault({ reason, error }: { reason: string | null; error: string | null }) {
  const { t } = useTranslation();
  if (reason === null && error === null) return null;
  return (
    <div className="mt-1.5 space-y-0.5 text-sm text-destructive">
      {reason !== null && <p>{reasonWords(reason, t)}</p>}
      {error !== null && error !== '' && <p className="font-mono text-xs break-words">{error}</p>}
    </div>
  );
}
