import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { adapterQuery, type Bot } from '../../components/bots/bot-queries.ts';
import { FailureContent } from '../../components/failure/failure-content.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { failureOfRecord } from '../../lib/failure.ts';
import { notify } from '../../lib/notify.ts';

/** After these the server waits for a changed configuration. */
const lasting = ['platform_unauthorized', 'invalid_request', 'secret_required'];

/** Why a bot is not connected, and what to do; nothing if it is. */
export function BotProblem({ bot }: { bot: Bot }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const adapter = useQuery(adapterQuery(bot.adapter));
  const isAdmin = useIsAdmin();
  const { state, error, error_reason } = bot.adapter_runtime_values;
  const reconnect = useMutation({
    mutationFn: async () => {
      for (const enable of [false, true]) {
        await api.put('/api/v1/platform/bots/{bot_uuid}', {
          params: { path: { bot_uuid: bot.uuid } },
          body: { enable },
        });
      }
    },
    onError: notify.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['bots'] }),
  });

  if (adapter.data === null) {
    return (
      <Alert className="mb-6">
        <p className="font-medium">{t('bots.gone', { name: bot.adapter })}</p>
        <p>{t('bots.goneText')}</p>
      </Alert>
    );
  }
  if (state !== 'error' && state !== 'reconnecting') return null;
  const failure = failureOfRecord({ reason: error_reason ?? 'platform_failed', error, response: null, hint: null }, t);
  return (
    <Alert className="mb-6" variant={state === 'error' ? 'error' : 'notice'}>
      <p className="font-medium">{t(state === 'error' ? 'bots.problem' : 'bots.reconnecting')}</p>
      <FailureContent failure={failure} />
      {state === 'error' && (
        <>
          <p>{t(lasting.includes(error_reason ?? '') ? 'bots.needsChange' : 'bots.keepsTrying')}</p>
          {isAdmin && (
            <Button
              variant="outline"
              size="small"
              className="mt-2 text-foreground"
              disabled={reconnect.isPending}
              onClick={() => reconnect.mutate()}
            >
              <RotateCcw aria-hidden />
              {t('bots.reconnect')}
            </Button>
          )}
        </>
      )}
    </Alert>
  );
}
