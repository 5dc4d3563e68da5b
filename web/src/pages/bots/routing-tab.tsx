import { Plus } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Bot, type RoutingRule, readTaggedBot } from '../../components/bots/bot-queries.ts';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { Section } from '../../components/page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { PipelineSelect } from './pipeline-select.tsx';
import { RoutingRuleForm } from './routing-rule-form.tsx';

const contentOf = ({ use_pipeline_uuid, pipeline_routing_rules }: Bot) => ({
  use_pipeline_uuid,
  pipeline_routing_rules,
});

/** The pipeline of messages: the default one, and routing rules. */
export function RoutingTab({ bot }: { bot: Bot }) {
  const { t } = useTranslation();
  const id = useId();
  /** The button to focus after its rule was moved. */
  const [moved, setMoved] = useState<string | null>(null);
  const draft = useDraft({
    name: `bot:${bot.uuid}:routing`,
    stored: bot,
    contentOf,
    read: () => readTaggedBot(bot.uuid),
    save: (body, headers) =>
      api.put('/api/v1/platform/bots/{bot_uuid}', { params: { path: { bot_uuid: bot.uuid } }, headers, body }),
    onSaved: useSaved(['bots']),
  });
  const { value, change, faults } = draft;
  const rules = value.pipeline_routing_rules;
  const changeRules = (next: RoutingRule[]) => change({ ...value, pipeline_routing_rules: next });
  const boundFault = faults.find(({ path }) => path === 'use_pipeline_uuid')?.message;
  const help = t('bots.boundToText');

  useEffect(() => {
    if (moved === null) return;
    const button = document.getElementById(moved);
    // At the top or bottom, the button is disabled, so the other one gets the focus.
    const other = document.getElementById(moved.replace(/up$|down$/, (end) => (end === 'up' ? 'down' : 'up')));
    (button?.matches(':disabled') ? other : button)?.focus();
    setMoved(null);
  }, [moved]);

  const move = (index: number, to: number) => {
    const next = [...rules];
    const [rule] = next.splice(index, 1);
    if (rule !== undefined) next.splice(to, 0, rule);
    changeRules(next);
    setMoved(`${id}-${to}-${to < index ? 'up' : 'down'}`);
  };
  const remove = (index: number) => {
    changeRules(rules.filter((_, at) => at !== index));
    document.getElementById(`${id}-add`)?.focus();
  };

  return (
    <>
      <div className="max-w-3xl">
        <FieldShell id={id} label={t('bots.boundTo')} help={help} error={boundFault}>
          <PipelineSelect
            id={id}
            value={value.use_pipeline_uuid ?? ''}
            none={t('bots.boundToNone')}
            describedBy={describedBy(id, { help, error: boundFault })}
            isInvalid={boundFault !== undefined}
            onChange={(uuid) => change({ ...value, use_pipeline_uuid: uuid === '' ? null : uuid })}
          />
        </FieldShell>
        <div className="mt-8">
          <Section title={t('bots.rules')} text={t('bots.rulesText')}>
            {rules.length === 0 && <p className="text-muted-foreground">{t('bots.noRules')}</p>}
            <ol className="space-y-4">
              {rules.map((rule, index) => (
                <RoutingRuleForm
                  // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity than their place
                  key={index}
                  id={`${id}-${index}`}
                  rule={rule}
                  index={index}
                  isLast={index === rules.length - 1}
                  faults={faults}
                  onChange={(next) => changeRules(rules.map((one, at) => (at === index ? next : one)))}
                  onMove={(to) => move(index, to)}
                  onRemove={() => remove(index)}
                />
              ))}
            </ol>
            <Button
              id={`${id}-add`}
              variant="outline"
              size="small"
              className="mt-4"
              onClick={() => changeRules([...rules, { pipeline_uuid: '' }])}
            >
              <Plus aria-hidden />
              {t('bots.addRule')}
            </Button>
          </Section>
        </div>
      </div>
      <SaveBar draft={draft} />
    </>
  );
}
