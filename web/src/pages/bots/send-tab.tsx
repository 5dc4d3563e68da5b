import { useMutation, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bot } from '../../components/bots/bot-queries.ts';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { SegmentedControl } from '../../components/ui/segmented-control.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { knownSessionsQuery, nameOfSession } from './known-sessions.ts';

type Target = 'person' | 'group';

/** Sends a message through a bot. Input stays if it fails. */
export function SendTab({ bot }: { bot: Bot }) {
  const { t } = useTranslation();
  const id = useId();
  const input = useKeptInput(`send:${bot.uuid}`, () => ({ target: 'person' as Target, targetId: '', text: '' }));
  const { target, targetId, text } = input.value;
  const change = (part: Partial<typeof input.value>) => input.change((value) => ({ ...value, ...part }));
  const known = useQuery(knownSessionsQuery(bot.uuid));
  const send = useMutation({
    mutationFn: () =>
      api.post('/api/v1/platform/bots/{bot_uuid}/send_message', {
        params: { path: { bot_uuid: bot.uuid } },
        body: { target_type: target, target_id: targetId.trim(), message_chain: [{ type: 'Plain', text }] },
      }),
    onSuccess: () => {
      notify.done(t('bots.sent'));
      change({ text: '' });
    },
  });
  const faults = faultsOf(send.error);
  const faultOf = (start: string) => faults.find(({ path }) => path.startsWith(start))?.message;
  const isReady = targetId.trim() !== '' && text.trim() !== '';
  const help = t('bots.targetHelp');
  const targetFault = faultOf('target_id');
  const textFault = faultOf('message_chain');
  const suggestions = (known.data ?? []).filter(({ session_id }) => session_id.startsWith(`${target}_`));
  return (
    <form
      noValidate
      className="max-w-2xl space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !send.isPending) send.mutate();
      }}
    >
      <p className="text-pretty text-muted-foreground">{t('bots.sendText')}</p>
      {bot.adapter_runtime_values.state !== 'running' && <Alert variant="notice">{t('bots.notRunning')}</Alert>}
      <div className="max-w-xs">
        <SegmentedControl
          label={t('bots.sendTo')}
          value={target}
          onChange={(next) => change({ target: next })}
          options={[
            { value: 'person', label: t('bots.person') },
            { value: 'group', label: t('bots.group') },
          ]}
        />
      </div>
      <FieldShell id={`${id}-target`} label={t('bots.target')} help={help} error={targetFault}>
        <Input
          id={`${id}-target`}
          className="max-w-md"
          list={`${id}-known`}
          autoComplete="off"
          aria-describedby={describedBy(`${id}-target`, { help, error: targetFault })}
          aria-invalid={targetFault !== undefined || undefined}
          value={targetId}
          onChange={(event) => change({ targetId: event.target.value })}
        />
      </FieldShell>
      <datalist id={`${id}-known`}>
        {suggestions.map((session) => (
          <option key={session.session_id} value={session.session_id.slice(target.length + 1)}>
            {nameOfSession(session) ?? ''}
          </option>
        ))}
      </datalist>
      <FieldShell id={`${id}-text`} label={t('bots.text')} error={textFault}>
        <Textarea
          id={`${id}-text`}
          aria-describedby={describedBy(`${id}-text`, { error: textFault })}
          aria-invalid={textFault !== undefined || undefined}
          value={text}
          onChange={(event) => change({ text: event.target.value })}
        />
      </FieldShell>
      {send.isError && <FailureAlert error={send.error} />}
      <Button type="submit" disabled={!isReady || send.isPending}>
        <Send aria-hidden />
        {t(send.isPending ? 'bots.sending' : 'bots.sendNow')}
      </Button>
    </form>
  );
}
