import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LinesControl } from '../../components/forms/controls.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { LabelledCheckbox } from '../../components/ui/labelled-checkbox.tsx';
import { api } from '../../lib/api.ts';
import type { PluginDetails } from './plugin-queries.ts';
import { RecordChoices } from './record-choices.tsx';

type Sending = PluginDetails['grants']['send'];

interface BotChoicesProps {
  value: Sending;
  onChange: (value: Sending) => void;
}

/** The bots that a plugin may send messages by, and to whom. */
export function BotChoices({ value, onChange }: BotChoicesProps) {
  const { t } = useTranslation();
  const bots = useQuery({
    queryKey: ['bots', 'for-plugins'],
    queryFn: async () => (await api.get('/api/v1/platform/bots')).bots,
  });
  const targetsOf = (uuid: string) => value.find(({ bot_uuid }) => bot_uuid === uuid)?.targets ?? null;
  return (
    <RecordChoices
      label={t('plugins.bots')}
      none={t('plugins.noBots')}
      records={bots}
      value={value.map(({ bot_uuid }) => bot_uuid)}
      // A bot that is chosen may at first send to nobody.
      onChange={(chosen) =>
        onChange(chosen.map((bot_uuid) => value.find((one) => one.bot_uuid === bot_uuid) ?? { bot_uuid, targets: [] }))
      }
      more={(uuid) => (
        <Targets
          value={targetsOf(uuid)}
          onChange={(targets) => onChange(value.map((one) => (one.bot_uuid === uuid ? { ...one, targets } : one)))}
        />
      )}
    />
  );
}

interface TargetsProps {
  /** Ids of users and groups; null for all. */
  value: string[] | null;
  onChange: (value: string[] | null) => void;
}

function Targets({ value, onChange }: TargetsProps) {
  const { t } = useTranslation();
  const id = useId();
  const help = t('plugins.targetsHelp');
  return (
    <div className="mt-2 ml-7 space-y-3 border-l-2 pl-4">
      <LabelledCheckbox checked={value === null} onChange={(all) => onChange(all ? null : [])}>
        {t('plugins.allTargets')}
      </LabelledCheckbox>
      {value !== null && (
        <FieldShell id={id} label={t('plugins.targets')} help={help}>
          <LinesControl
            id={id}
            value={value}
            // Its lines are texts.
            onChange={(lines) => onChange(lines as string[])}
            describedBy={describedBy(id, { help })}
            isInvalid={false}
          />
        </FieldShell>
      )}
    </div>
  );
}
