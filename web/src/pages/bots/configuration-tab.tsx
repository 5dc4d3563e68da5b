import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdapterHelp } from '../../components/bots/adapter-help.tsx';
import { type Adapter, adapterQuery, type Bot, readTaggedBot } from '../../components/bots/bot-queries.ts';
import { ConnectionTest } from '../../components/bots/connection-test.tsx';
import { PlatformSignIn } from '../../components/bots/platform-sign-in.tsx';
import { SetupSteps } from '../../components/bots/setup-steps.tsx';
import { WebhookWarning } from '../../components/bots/webhook-warning.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { InlineCode } from '../../components/inline-code.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Select } from '../../components/ui/select.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import { isPublicAddress } from '../../lib/public-address.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';

const contentOf = ({ name, description, adapter_config, uncertain_sends }: Bot) => ({
  name,
  description,
  adapter_config,
  uncertain_sends,
});

/** Name and configuration of a bot. */
export function ConfigurationTab({ bot }: { bot: Bot }) {
  const adapter = useQuery(adapterQuery(bot.adapter));
  return <Loaded query={adapter}>{(found) => <Configuration bot={bot} adapter={found} />}</Loaded>;
}

function Configuration({ bot, adapter }: { bot: Bot; adapter: Adapter | null }) {
  const { t } = useTranslation();
  const id = useId();
  const [loginId, setLoginId] = useState<string>();
  const draft = useDraft({
    name: `bot:${bot.uuid}:configuration`,
    stored: bot,
    contentOf,
    read: () => readTaggedBot(bot.uuid),
    save: async (content, headers) => {
      const body = { ...content, ...(loginId !== undefined && { login_id: loginId }) };
      await api.put('/api/v1/platform/bots/{bot_uuid}', { params: { path: { bot_uuid: bot.uuid } }, headers, body });
      setLoginId(undefined);
    },
    onSaved: useSaved(['bots']),
  });
  const { value, change, faults } = draft;
  const faultAt = (path: string) => faults.find((fault) => fault.path === path)?.message;
  const descriptionFault = faultAt('description');
  const { uses_webhook, webhook_full_url, webhook_url } = bot.adapter_runtime_values;
  const address = uses_webhook ? (webhook_full_url ?? webhook_url) : null;
  return (
    <>
      <div className="max-w-2xl">
        <Section title={t('bots.general')}>
          <div className="space-y-5">
            <TextField
              label={t('common.name')}
              value={value.name}
              autoComplete="off"
              error={faultAt('name')}
              onChange={(event) => change({ ...value, name: event.target.value })}
            />
            <FieldShell id={id} label={t('common.description')} error={descriptionFault} isOptional>
              <Textarea
                id={id}
                aria-describedby={describedBy(id, { error: descriptionFault })}
                value={value.description}
                onChange={(event) => change({ ...value, description: event.target.value })}
              />
            </FieldShell>
          </div>
        </Section>
        {adapter !== null && (
          <Section
            title={t('bots.connection', { name: localized(adapter.label) })}
            {...(adapter.spec.config.length === 0 ? { text: t('bots.noSettings') } : {})}
            actions={<AdapterHelp adapter={adapter} />}
          >
            <div className="mb-5 empty:hidden">
              <PlatformSignIn
                adapter={adapter}
                config={value.adapter_config}
                onDone={(filled, login) => {
                  change({ ...value, adapter_config: { ...value.adapter_config, ...filled } });
                  setLoginId(login);
                }}
              />
            </div>
            {adapter.spec.setup_steps.length > 0 && (
              <details className="mb-5">
                <summary className="min-h-8 w-fit cursor-pointer rounded text-sm font-medium text-muted-foreground">
                  {t('bots.setupSteps')}
                </summary>
                <div className="mt-2">
                  <SetupSteps adapter={adapter} />
                </div>
              </details>
            )}
            <SchemaForm
              fields={adapter.spec.config}
              value={value.adapter_config}
              typed={draft.typed}
              faults={faults}
              path="adapter_config"
              onChange={(adapter_config) => change({ ...value, adapter_config })}
            />
            {address === null && (
              <div className="mt-5 empty:hidden">
                <WebhookWarning adapter={adapter} config={value.adapter_config} />
              </div>
            )}
            <div className="mt-5">
              <ConnectionTest
                adapter={adapter}
                config={value.adapter_config}
                requireValues={draft.requireValues}
                bot={bot.uuid}
                loginId={loginId}
              />
            </div>
          </Section>
        )}
        <Section title={t('bots.delivery')}>
          <FieldShell id={`${id}-uncertain`} label={t('bots.uncertainSends')} help={t('bots.uncertainSendsText')}>
            <Select
              id={`${id}-uncertain`}
              aria-describedby={describedBy(`${id}-uncertain`, { help: t('bots.uncertainSendsText') })}
              value={value.uncertain_sends}
              onChange={({ target }) => change({ ...value, uncertain_sends: target.value as Bot['uncertain_sends'] })}
            >
              {(['continue', 'stop', 'repeat'] as const).map((choice) => (
                <option key={choice} value={choice}>
                  {t(`bots.uncertainSendsChoices.${choice}`)}
                </option>
              ))}
            </Select>
          </FieldShell>
        </Section>
        {address !== null && (
          <Section title={t('bots.webhook')} text={t('bots.webhookText')}>
            <div className="flex items-center gap-2 rounded-xl border bg-muted py-1.5 pr-1.5 pl-3.5">
              <code className="min-w-0 flex-1 text-sm break-all">{address}</code>
              <CopyButton
                iconOnly
                text={() => address}
                label={t('bots.webhookCopy')}
                copiedLabel={t('common.copied')}
              />
            </div>
            {!isPublicAddress(address) && (
              <Alert variant="notice" className="mt-3">
                <InlineCode text={t('bots.webhookNotPublic')} />
              </Alert>
            )}
          </Section>
        )}
      </div>
      <SaveBar draft={draft} />
    </>
  );
}
