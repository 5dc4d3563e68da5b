import type { ParleyApiErrorDetail } from '@parley/client';
import { ArrowDown, ArrowUp, Plus, Trash2, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RoutingRule } from '../../components/bots/bot-queries.ts';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { Button } from '../../components/ui/button.tsx';
import { PipelineSelect } from './pipeline-select.tsx';
import { type Condition, RoutingCondition } from './routing-condition.tsx';

const conditions = ['keywords', 'persons', 'groups', 'mentioned', 'time'] as const satisfies readonly Condition[];

interface RoutingRuleFormProps {
  /** Prefix of the ids of its controls. */
  id: string;
  rule: RoutingRule;
  /** From 0. */
  index: number;
  isLast: boolean;
  faults: readonly ParleyApiErrorDetail[];
  onChange: (rule: RoutingRule) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One routing rule: the pipeline, and the conditions, which must all match. */
export function RoutingRuleForm({ id, rule, index, isLast, faults, onChange, onMove, onRemove }: RoutingRuleFormProps) {
  const { t } = useTranslation();
  const number = index + 1;
  const place = `pipeline_routing_rules[${index}]`;
  const faultBelow = (path: string) => faults.find((fault) => isBelow(fault.path, path))?.message;
  const pipelineFault = faultBelow(`${place}.pipeline_uuid`);
  const chosen = conditions.filter((name) => rule[name] !== undefined);
  const without = (name: Condition) => {
    const { [name]: _, ...rest } = rule;
    onChange(rest);
    document.getElementById(`${id}-add-${chosen[0] === name ? conditions[0] : name}`)?.focus();
  };
  return (
    <li className="rounded-2xl border bg-card">
      <div className="flex items-center gap-1 border-b py-1.5 pr-2 pl-4">
        <h3 className="flex-1 text-sm font-medium">{t('bots.rule', { number })}</h3>
        <Button
          id={`${id}-up`}
          variant="ghost"
          size="icon"
          disabled={index === 0}
          aria-label={t('bots.moveRuleUp', { number })}
          title={t('common.moveUp')}
          onClick={() => onMove(index - 1)}
        >
          <ArrowUp />
        </Button>
        <Button
          id={`${id}-down`}
          variant="ghost"
          size="icon"
          disabled={isLast}
          aria-label={t('bots.moveRuleDown', { number })}
          title={t('common.moveDown')}
          onClick={() => onMove(index + 1)}
        >
          <ArrowDown />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('bots.removeRule', { number })}
          title={t('common.remove')}
          onClick={onRemove}
        >
          <Trash2 />
        </Button>
      </div>
      <div className="space-y-5 p-4">
        {chosen.map((name) => (
          <div key={name} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <RoutingCondition
                id={`${id}-${name}`}
                condition={name}
                rule={rule}
                error={faultBelow(`${place}.${name}`)}
                onChange={onChange}
              />
            </div>
            <Button
              variant="ghost"
              size="icon"
              className="-mt-2.5"
              aria-label={t('bots.removeCondition', { name: t(`bots.conditions.${name}`) })}
              title={t('common.remove')}
              onClick={() => without(name)}
            >
              <X />
            </Button>
          </div>
        ))}
        {chosen.length === 0 && (
          <p className="text-sm text-muted-foreground" role="status">
            {t('bots.needsCondition')}
          </p>
        )}
        {chosen.length < conditions.length && (
          <fieldset className="flex flex-wrap items-center gap-2">
            <legend className="sr-only">{t('bots.addCondition')}</legend>
            {conditions
              .filter((name) => rule[name] === undefined)
              .map((name) => (
                <Button
                  key={name}
                  id={`${id}-add-${name}`}
                  variant="outline"
                  size="small"
                  onClick={() => onChange({ ...rule, [name]: emptyCondition(name) })}
                >
                  <Plus aria-hidden />
                  {t(`bots.conditions.${name}`)}
                </Button>
              ))}
          </fieldset>
        )}
        <FieldShell id={`${id}-pipeline`} label={t('bots.goesTo')} error={pipelineFault}>
          <PipelineSelect
            id={`${id}-pipeline`}
            value={rule.pipeline_uuid}
            none={t('bots.choosePipeline')}
            describedBy={pipelineFault === undefined ? undefined : `${id}-pipeline-error`}
            isInvalid={pipelineFault !== undefined}
            onChange={(pipeline_uuid) => onChange({ ...rule, pipeline_uuid })}
          />
        </FieldShell>
      </div>
    </li>
  );
}

function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

function emptyCondition(name: Condition): RoutingRule[Condition] {
  switch (name) {
    case 'mentioned':
      return true;
    case 'time':
      return { from: '09:00', to: '17:00', time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    default:
      return [];
  }
}
