import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoutingRule } from '../../components/bots/bot-queries.ts';
import { LinesControl } from '../../components/forms/controls.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';

export type Condition = Exclude<keyof RoutingRule, 'pipeline_uuid'>;
type Time = NonNullable<RoutingRule['time']>;

interface RoutingConditionProps {
  id: string;
  condition: Condition;
  rule: RoutingRule;
  error?: string | undefined;
  onChange: (rule: RoutingRule) => void;
}

/** The control of one condition of a routing rule. */
export function RoutingCondition({ id, condition, rule, error, onChange }: RoutingConditionProps) {
  const { t } = useTranslation();
  const label = t(`bots.conditions.${condition}`);
  if (condition === 'time') {
    return <TimeCondition id={id} rule={rule} error={error} onChange={onChange} />;
  }
  if (condition === 'mentioned') {
    return (
      <FieldShell id={id} label={label} error={error}>
        <Select
          id={id}
          className="max-w-md"
          value={String(rule.mentioned)}
          onChange={(event) => onChange({ ...rule, mentioned: event.target.value === 'true' })}
        >
          <option value="true">{t('bots.conditions.mentionedYes')}</option>
          <option value="false">{t('bots.conditions.mentionedNo')}</option>
        </Select>
      </FieldShell>
    );
  }
  const help = t(`bots.conditions.${condition}Help`);
  return (
    <FieldShell id={id} label={label} help={help} error={error}>
      <LinesControl
        id={id}
        value={rule[condition]}
        describedBy={describedBy(id, { help, error })}
        isInvalid={error !== undefined}
        onChange={(lines) => onChange({ ...rule, [condition]: lines })}
      />
    </FieldShell>
  );
}

function TimeCondition({ id, rule, error, onChange }: Omit<RoutingConditionProps, 'condition'>) {
  const { t, i18n } = useTranslation();
  const zones = useId();
  const { from = '', to = '', days = [], time_zone = '' } = rule.time ?? {};
  const change = (part: Partial<Time>) => onChange({ ...rule, time: { from, to, ...rule.time, ...part } });
  const setDays = (chosen: number[]) => {
    const { days: _, ...rest } = { from, to, ...rule.time };
    onChange({ ...rule, time: chosen.length === 0 ? rest : { ...rest, days: chosen.sort((one, two) => one - two) } });
  };
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t('bots.conditions.time')}</legend>
      <div className="flex flex-wrap gap-4">
        <div className="space-y-1.5">
          <Label htmlFor={`${id}-from`}>{t('bots.from')}</Label>
          <Input
            id={`${id}-from`}
            type="time"
            className="w-36"
            value={from}
            onChange={(event) => change({ from: event.target.value })}
          />
        </div>
        <div className="space-y-1.5">
          <Label htmlFor={`${id}-to`}>{t('bots.to')}</Label>
          <Input
            id={`${id}-to`}
            type="time"
            className="w-36"
            value={to}
            onChange={(event) => change({ to: event.target.value })}
          />
        </div>
        <div className="min-w-48 flex-1 space-y-1.5">
          <Label htmlFor={`${id}-zone`}>{t('bots.timeZone')}</Label>
          <Input
            id={`${id}-zone`}
            list={zones}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            value={time_zone}
            onChange={(event) => change({ time_zone: event.target.value })}
          />
          <datalist id={zones}>
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </div>
      </div>
      <p className="mt-1.5 text-sm text-muted-foreground">{t('bots.conditions.timeHelp')}</p>
      <fieldset className="mt-3">
        <legend className="mb-1.5 text-sm">
          {t('bots.days')} <span className="text-muted-foreground">{t('bots.everyDay')}</span>
        </legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {[1, 2, 3, 4, 5, 6, 7].map((day) => (
            <label key={day} className="flex min-h-8 items-center gap-2">
              <input
                type="checkbox"
                className="size-4.5 accent-primary"
                checked={days.includes(day)}
                onChange={(event) => setDays(event.target.checked ? [...days, day] : days.filter((one) => one !== day))}
              />
              {nameOfDay(day, i18n.language)}
            </label>
          ))}
        </div>
      </fieldset>
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-2 text-sm text-destructive">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** @param day 1 for Monday */
function nameOfDay(day: number, language: string): string {
  // January 1, 2024 was a Monday.
  return new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));
}
