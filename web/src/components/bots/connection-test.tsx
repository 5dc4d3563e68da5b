import { useMutation } from '@tanstack/react-query';
import { CircleCheck, PlugZap } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { FailureAlert } from '../failure/failure-alert.tsx';
import type { FormValue } from '../forms/form-field.ts';
import { Button } from '../ui/button.tsx';
import type { Adapter } from './bot-queries.ts';
import { TestFindings } from './test-findings.tsx';

interface ConnectionTestProps {
  adapter: Adapter;
  /** As it is typed; it need not be stored. */
  config: FormValue;
  /** Throws while a field has an unfinished text. */
  requireValues: () => void;
  /** The bot whose stored secrets stand behind masked ones. */
  bot?: string;
  /** The sign-in whose secrets stand behind masked ones. */
  loginId?: string | undefined;
}

/** Tests the configuration in the form. Renders nothing for platforms without connection tests. */
export function ConnectionTest({ adapter, config, requireValues, bot, loginId }: ConnectionTestProps) {
  const { t } = useTranslation();
  const typed = JSON.stringify(config);
  const test = useMutation({
    mutationFn: async () => {
      requireValues();
      const body = {
        adapter_config: config,
        ...(bot !== undefined && { bot_uuid: bot }),
        ...(loginId !== undefined && { login_id: loginId }),
      };
      const params = { path: { adapter_name: adapter.name } };
      return { typed, ...(await api.post('/api/v1/platform/adapters/{adapter_name}/test', { params, body })) };
    },
  });
  if (!adapter.spec.testable) return null;
  // What was said of something else is not said any more.
  const found = test.data?.typed === typed ? test.data : undefined;
  const hasErrors = found?.findings.some(({ level }) => level === 'error') === true;
  const faulty = faultsOf(test.error).flatMap(({ path, message }) => {
    const field = adapter.spec.config.find(({ name }) => path === `adapter_config.${name}`);
    return field === undefined ? [] : [{ level: 'error' as const, field: field.name, text: { en_US: message } }];
  });
  return (
    <div className="space-y-3">
      <Button variant="outline" disabled={test.isPending} onClick={() => test.mutate()}>
        <PlugZap aria-hidden />
        {t(test.isPending ? 'bots.testing' : 'bots.test')}
      </Button>
      <div role="status" className="text-sm empty:hidden">
        {found !== undefined && (
          <>
            <p className={`flex items-start gap-2 ${hasErrors ? '' : 'text-good'}`}>
              {!hasErrors && <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />}
              {t(resultText(found.account_id !== '', hasErrors), { account: found.account_name ?? found.account_id })}
            </p>
            {found.findings.length > 0 && (
              <div className="mt-3">
                <TestFindings adapter={adapter} findings={found.findings} />
              </div>
            )}
          </>
        )}
      </div>
      {test.isError &&
        (faulty.length > 0 ? (
          <div role="alert" className="text-sm">
            <TestFindings adapter={adapter} findings={faulty} />
          </div>
        ) : (
          <FailureAlert error={test.error} />
        ))}
    </div>
  );
}

/** Platforms that connect to the bot cannot be asked for its account. */
function resultText(isConnected: boolean, hasErrors: boolean) {
  if (!isConnected) return hasErrors ? 'bots.testUnconnectedFinds' : 'bots.testUnconnected';
  return hasErrors ? 'bots.testFinds' : 'bots.testWorks';
}
