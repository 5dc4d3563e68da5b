import { Check, CircleMinus, CirclePause, CircleX, type LucideIcon, Merge, Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { reasonWords } from '../../lib/error-text.ts';
import { duration } from '../../lib/number-text.ts';
import { detailWords, stepOutcomeWords, stepWords, valueWords } from './explain-words.ts';
import { detailsOf, type Span, type Step, spansOf } from './explanation.ts';

const looks: Record<Step['outcome'] & string, { icon: LucideIcon; colour: string; bar: string }> = {
  passed: { icon: Check, colour: 'text-muted-foreground', bar: 'bg-primary' },
  changed: { icon: Pencil, colour: 'text-primary', bar: 'bg-primary' },
  merged: { icon: Merge, colour: 'text-primary', bar: 'bg-primary' },
  stopped: { icon: CircleMinus, colour: 'text-notice', bar: 'bg-notice' },
  waited: { icon: CirclePause, colour: 'text-notice', bar: 'bg-notice' },
  failed: { icon: CircleX, colour: 'text-destructive', bar: 'bg-destructive' },
};
const unknownLook = looks.passed;

/** The steps in order. Bars show start and duration relative to all steps. */
export function ExplainSteps({ steps }: { steps: readonly Step[] }) {
  const spans = spansOf(steps.map(({ milliseconds }) => milliseconds));
  return (
    <ol className="divide-y">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stage can stand twice, and steps keep their places
        <StepRow key={index} step={step} span={spans[index] ?? { start: 0, length: 0 }} />
      ))}
    </ol>
  );
}

function StepRow({ step, span }: { step: Step; span: Span }) {
  const { t, i18n } = useTranslation();
  const { icon: Icon, colour, bar } = looks[step.outcome as keyof typeof looks] ?? unknownLook;
  const details = detailsOf(step.details);
  // This reason concerns the messages that were merged into this one.
  const reason = step.outcome === 'merged' ? null : step.reason;
  const time = duration(step.milliseconds, i18n.language);
  return (
    <li className="py-2 first:pt-0">
      <div className="flex items-baseline gap-2">
        <Icon aria-hidden className={classNames('size-4 shrink-0 self-center', colour)} />
        <span className="min-w-0 flex-1 text-sm">
          <span className="font-medium">{stepWords(step.name, t)}</span>{' '}
          <span className={classNames('text-xs', colour)}>{stepOutcomeWords(step.outcome, t)}</span>
        </span>
        <span className="shrink-0 text-xs text-muted-foreground tabular-nums">
          <span className="sr-only">{t('explain.duration', { time })}</span>
          <span aria-hidden>{time}</span>
        </span>
      </div>
      <div aria-hidden className="mt-1 ml-6 h-1 overflow-hidden rounded-full bg-muted">
        <div
          className={classNames('h-full min-w-0.5 rounded-full', bar)}
          style={{ marginLeft: `min(${span.start * 100}%, 100% - 2px)`, width: `${span.length * 100}%` }}
        />
      </div>
      {(reason !== null || details.length > 0) && (
        <div className="mt-1.5 ml-6 space-y-1">
          {reason !== null && <p className="text-sm text-pretty">{reasonWords(reason, t)}</p>}
          {details.length > 0 && (
            <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
              {details.map(([name, value]) => (
                <div key={name} className="flex min-w-0 gap-1.5">
                  <dt className="shrink-0 text-muted-foreground">{detailWords(name, t)}</dt>
                  <dd className="min-w-0 break-words">{valueWords(value, t)}</dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      )}
    </li>
  );
}
