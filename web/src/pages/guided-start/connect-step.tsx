import { ParleyApiError } from '@parley/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdapterHelp } from '../../components/bots/adapter-help.tsx';
import { type Adapter, adapterQuery, type Bot, readBot, readTaggedBot } from '../../components/bots/bot-queries.ts';
import { PlatformSignIn } from '../../components/bots/platform-sign-in.tsx';
import { SetupSteps } from '../../components/bots/setup-steps.tsx';
import { WebhookWarning } from '../../components/bots/webhook-warning.tsx';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { ConflictNotice } from '../../components/forms/conflict-notice.tsx';
import { defaultsOf, type FormField, type FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { reasonText } from '../../lib/error-text.ts';
import { fieldDifferences } from '../../lib/field-differences.ts';
import { localized } from '../../lib/i18n.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { saveIfKnown } from '../../lib/save-if-known.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import type { StartProgress } from './start-progress.ts';
import { StepHeading } from './step-heading.tsx';

interface ConnectStepProps {
  progress: StartProgress;
  keep: (part: Partial<StartProgress>) => void;
}

/** The configuration of the platform, and a connection test. */
export function ConnectStep({ progress, keep }: ConnectStepProps) {
  const adapter = useQuery(adapterQuery(progress.adapter ?? ''));
  const bot = useQuery({
    queryKey: ['bots', 'start', progress.bot_uuid],
    queryFn: () => botOf(progress),
    // The form stays unchanged when the bot is created.
    placeholderData: keepPreviousData,
  });
  const { t } = useTranslation();
  return (
    <Loaded query={adapter} rows={2}>
      {(found) =>
        found === null ? (
          <>
            <StepHeading title={t('bots.gone', { name: progress.adapter ?? '' })} />
            <Button variant="outline" onClick={() => keep({ step: 'messenger' })}>
              {t('common.back')}
            </Button>
          </>
        ) : (
          <Loaded query={bot} rows={2}>
            {(made) => <ConnectForm adapter={found} bot={made} keep={keep} />}
          </Loaded>
        )
      }
    </Loaded>
  );
}

/** The bot created here; null if there is none, or none of this platform any more. */
async function botOf({ bot_uuid, adapter }: StartProgress): Promise<Bot | null> {
  if (bot_uuid === undefined) return null;
  try {
    const bot = await readBot(bot_uuid);
    return bot.adapter === adapter ? bot : null;
  } catch (error) {
    if (error instanceof ParleyApiError && error.status === 404) return null;
    throw error;
  }
}

interface ConnectFormProps {
  adapter: Adapter;
  bot: Bot | null;
  keep: ConnectStepProps['keep'];
}

function ConnectForm({ adapter, bot, keep }: ConnectFormProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const fields = adapter.spec.config;
  const input = useKeptInput(`start-bot:${adapter.name}`, () => ({
    config: (bot?.adapter_config ?? defaultsOf(fields)) as FormValue,
  }));
  const { config } = input.value;
  const [loginId, setLoginId] = useState<string>();
  /** The configuration that is edited, or was saved here; null without a bot. */
  const [known, setKnown] = useState(bot?.adapter_config ?? null);
  /** The stored configuration, if another user changed it. */
  const [conflict, setConflict] = useState<FormValue | null>(null);
  const settings = { adapter_config: config, enable: true, ...(loginId !== undefined && { login_id: loginId }) };
  const connect = useMutation({
    mutationFn: async ({ overwrite }: { overwrite: boolean }) => {
      input.requireValues();
      if (bot === null) {
        const body = { name: localized(adapter.label), adapter: adapter.name, ...settings };
        const { uuid } = await api.post('/api/v1/platform/bots', { body });
        keep({ bot_uuid: uuid });
        setKnown((await readBot(uuid)).adapter_config);
        return null;
      }
      const expected = JSON.stringify(overwrite ? conflict : known);
      const theirs = await saveIfKnown({
        read: () => readTaggedBot(bot.uuid),
        isKnown: ({ adapter_config }) => JSON.stringify(adapter_config) === expected,
        save: (headers) => {
          const params = { path: { bot_uuid: bot.uuid } };
          return api.put('/api/v1/platform/bots/{bot_uuid}', { params, headers, body: settings });
        },
      });
      if (theirs === null) setKnown((await readBot(bot.uuid)).adapter_config);
      return theirs?.adapter_config ?? null;
    },
    onSuccess: (theirs) => {
      setConflict(theirs);
      if (theirs !== null) return;
      setLoginId(undefined);
      input.drop();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['bots'] }),
  });
  const faults = faultsOf(connect.error);
  const isNeeded = ({ name, required, secret, advanced, default: defaults }: FormField) =>
    (secret === true && advanced !== true) ||
    (required && (defaults === undefined || defaults === '')) ||
    faults.some(({ path }) => path.startsWith(`adapter_config.${name}`));
  const others = fields.filter((field) => !isNeeded(field));
  const isConnected = bot?.adapter_runtime_values.state === 'running';
  const form = (part: readonly FormField[]) => (
    <SchemaForm
      fields={part}
      value={config}
      onChange={(next) => input.change({ config: next })}
      typed={input.typed}
      faults={faults}
      path="adapter_config"
      foldsAdvanced={false}
    />
  );
  return (
    <form
      noValidate
      className="max-w-2xl"
      onSubmit={(event) => {
        event.preventDefault();
        if (!connect.isPending) connect.mutate({ overwrite: false });
      }}
    >
      <StepHeading title={t('bots.connectTitle', { name: localized(adapter.label) })}>
        {t('guidedStart.connectText')}
      </StepHeading>
      <div className="mb-5 empty:hidden">
        <PlatformSignIn
          adapter={adapter}
          config={config}
          onDone={(filled, id) => {
            input.change((value) => ({ config: { ...value.config, ...filled } }));
            setLoginId(id);
          }}
        />
      </div>
      <div className="mb-6 space-y-2 rounded-xl bg-muted px-4 py-3 text-sm empty:hidden">
        <SetupSteps adapter={adapter} />
        <AdapterHelp adapter={adapter} />
      </div>
      {form(fields.filter(isNeeded))}
      {others.length > 0 && (
        <details className="mt-5">
          <summary className="min-h-8 w-fit cursor-pointer rounded text-sm font-medium text-muted-foreground">
            {t('guidedStart.moreSettings')}
          </summary>
          <div className="mt-3">{form(others)}</div>
        </details>
      )}
      <div className="mt-6 space-y-3">
        <WebhookWarning adapter={adapter} config={config} />
        {connect.isError && <FailureAlert error={connect.error} />}
        {conflict !== null && (
          <ConflictNotice
            differences={fieldDifferences({ adapter_config: config }, { adapter_config: conflict })}
            isSaving={connect.isPending}
            onOverwrite={() => connect.mutate({ overwrite: true })}
            onTakeTheirs={() => {
              setKnown(conflict);
              setConflict(null);
              input.drop();
              input.change({ config: conflict });
            }}
          />
        )}
        <ConnectionResult bot={bot} isPending={connect.isPending} />
      </div>
      <div className="mt-7 flex flex-wrap gap-2 border-t pt-5">
        {isConnected && !connect.isPending && (
          <Button onClick={() => keep({ step: 'model' })}>{t('common.next')}</Button>
        )}
        <Button type="submit" variant={isConnected ? 'outline' : 'primary'} disabled={connect.isPending}>
          {t(connect.isPending ? 'guidedStart.connecting' : 'guidedStart.connect')}
        </Button>
        <Button variant="ghost" onClick={() => keep({ step: 'messenger' })}>
          {t('common.back')}
        </Button>
        {!isConnected && (
          <Button variant="ghost" className="ml-auto" onClick={() => keep({ step: 'model' })}>
            {t('guidedStart.goOnAnyway')}
          </Button>
        )}
      </div>
    </form>
  );
}

function ConnectionResult({ bot, isPending }: { bot: Bot | null; isPending: boolean }) {
  const { t } = useTranslation();
  const values = bot?.adapter_runtime_values;
  const state = isPending ? 'starting' : values?.state;
  const reason = reasonText(values?.error_reason ?? '', t);
  const id = values?.bot_account_id ?? null;
  return (
    <>
      <p role="status" className="flex items-center gap-2.5 text-sm empty:hidden">
        {state === 'starting' && (
          <>
            <LoaderCircle aria-hidden className="size-4.5 motion-safe:animate-spin" />
            {t('guidedStart.connecting')}
          </>
        )}
        {state === 'running' && (
          <>
            <CircleCheck aria-hidden className="size-4.5 text-good" />
            {id === null ? t('guidedStart.connectedUnknown') : t('guidedStart.connected', { id })}
          </>
        )}
        {state === 'reconnecting' && t('guidedStart.waiting')}
      </p>
      {state === 'error' && (
        <Alert>
          <p className="font-medium">{t('guidedStart.notConnected')}</p>
          <p>{reason ?? values?.error}</p>
        </Alert>
      )}
    </>
  );
}
