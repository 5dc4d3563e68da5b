import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { type StartProgress, type StartStep, startSteps } from './start-progress.ts';

interface StepListProps {
  step: StartStep;
  progress: StartProgress;
  onChoose: (step: StartStep) => void;
}

/** All steps, the current one marked; earlier steps are links. */
export function StepList({ step, progress, onChoose }: StepListProps) {
  const { t } = useTranslation();
  const present = startSteps.indexOf(step);
  return (
    <ol aria-label={t('guidedStart.steps.label')} className="mb-5 -ml-2 flex flex-wrap gap-x-1 gap-y-2">
      {startSteps.map((one, index) => {
        const isPast = index < present;
        const isLeftOut = isPast && one === 'connect' && progress.bot_uuid === undefined;
        const isReachable = isPast && (one !== 'connect' || progress.adapter !== undefined);
        const label = (
          <>
            <span
              aria-hidden
              className={classNames(
                'grid size-6 place-items-center rounded-full border text-xs',
                index === present && 'border-primary bg-primary text-primary-foreground',
                isPast && !isLeftOut && 'border-primary text-primary',
              )}
            >
              {isPast && !isLeftOut ? <Check className="size-3.5" /> : index + 1}
            </span>
            {t(`guidedStart.steps.${one}`)}
            {isPast && (
              <span className="sr-only">, {t(isLeftOut ? 'guidedStart.steps.skipped' : 'guidedStart.steps.done')}</span>
            )}
          </>
        );
        const style = classNames(
          'flex h-9 items-center gap-2 rounded-lg px-2 text-sm',
          index === present ? 'font-medium' : 'text-muted-foreground',
        );
        return (
          <li key={one} aria-current={index === present ? 'step' : undefined}>
            {isReachable ? (
              <button
                type="button"
                className={classNames(style, 'hover:bg-muted hover:text-foreground')}
                onClick={() => onChoose(one)}
              >
                {label}
              </button>
            ) : (
              <span className={style}>{label}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
