import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { Section } from '../../components/page.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { BotChoices } from './bot-choices.tsx';
import { type Plugin, type PluginDetails, pathOf, readPlugin } from './plugin-queries.ts';
import { RecordChoices } from './record-choices.tsx';

type Choices = Pick<PluginDetails, 'grants' | 'on_failure'>;
type StoredChoices = Choices & { updated_at: string };

/** Whether the operator has something to choose for a plugin. */
export function hasChoices({ details, manifest }: Plugin): boolean {
  const { send, models, knowledge } = manifest.permissions ?? {};
  return (
    details.listeners.length > 0 || Boolean(send) || models !== undefined || knowledge?.includes('chosen') === true
  );
}

/** What the operator chooses for a plugin: bots, models, knowledge bases, and what happens when it fails. */
export function AccessTab({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation();
  const id = useId();
  const { details, manifest } = plugin;
  const { send, models = [], knowledge = [] } = manifest.permissions ?? {};
  const path = pathOf(details.id);
  const draft = useDraft({
    name: `plugin-access:${details.id}`,
    stored: storedOf(details),
    contentOf: choicesOf,
    read: async () => {
      const { details: current } = await readPlugin(details.id);
      // The routes have no version of their own: what was read is what is compared.
      return { data: storedOf(current), etag: null };
    },
    save: async ({ grants, on_failure }) => {
      await api.put('/api/v1/plugins/{author}/{name}/grants', { params: path, body: grants });
      await api.put('/api/v1/plugins/{author}/{name}/on-failure', { params: path, body: { on_failure } });
    },
    onSaved: useSaved(['plugins', details.id]),
  });
  const { grants, on_failure } = draft.value;
  const grant = (part: Partial<Choices['grants']>) => draft.change({ ...draft.value, grants: { ...grants, ...part } });
  const help = t('plugins.onFailureHelp');
  return (
    <>
      <div className="max-w-2xl">
        {details.listeners.length > 0 && (
          <Section title={t('plugins.failure')}>
            <FieldShell id={id} label={t('plugins.onFailure')} help={help}>
              <Select
                id={id}
                className="max-w-md"
                aria-describedby={describedBy(id, { help })}
                value={on_failure}
                onChange={(event) =>
                  draft.change({ ...draft.value, on_failure: event.target.value as Choices['on_failure'] })
                }
              >
                {(['pass', 'stop'] as const).map((rule) => (
                  <option key={rule} value={rule}>
                    {t(`plugins.onFailureRules.${rule}`)}
                  </option>
                ))}
              </Select>
            </FieldShell>
          </Section>
        )}
        {send && (
          <Section title={t('plugins.bots')} text={t('plugins.botsText')}>
            <BotChoices value={grants.send} onChange={(chosen) => grant({ send: chosen })} />
          </Section>
        )}
        {models.length > 0 && (
          <Section title={t('plugins.models')} text={t('plugins.modelsText')}>
            <ModelChoices kinds={models} value={grants.models} onChange={(chosen) => grant({ models: chosen })} />
          </Section>
        )}
        {knowledge.includes('chosen') && (
          <Section title={t('plugins.bases')} text={t('plugins.basesText')}>
            <BaseChoices value={grants.knowledge} onChange={(chosen) => grant({ knowledge: chosen })} />
          </Section>
        )}
      </div>
      <SaveBar draft={draft} />
    </>
  );
}

interface ChoicesProps {
  value: readonly string[];
  onChange: (chosen: string[]) => void;
}

function ModelChoices({ kinds, ...choices }: ChoicesProps & { kinds: readonly ('generate' | 'embed')[] }) {
  const { t } = useTranslation();
  const models = useQuery({
    queryKey: ['models', 'for-plugins', kinds],
    queryFn: async () => {
      const lists = await Promise.all(
        kinds.map((kind) => api.get(`/api/v1/provider/models/${kind === 'generate' ? 'llm' : 'embedding'}`)),
      );
      return lists.flatMap((list): { uuid: string; name: string }[] => list.models);
    },
  });
  return <RecordChoices label={t('plugins.models')} none={t('plugins.noModels')} records={models} {...choices} />;
}

function BaseChoices(choices: ChoicesProps) {
  const { t } = useTranslation();
  const bases = useQuery({
    queryKey: ['knowledge', 'for-plugins'],
    queryFn: async () => (await api.get('/api/v1/knowledge/bases')).bases,
  });
  return <RecordChoices label={t('plugins.bases')} none={t('plugins.noBases')} records={bases} {...choices} />;
}

function choicesOf({ grants, on_failure }: Choices): Choices {
  return { grants, on_failure };
}

/** What is stored is its own version. */
function storedOf(details: PluginDetails): StoredChoices {
  const choices = choicesOf(details);
  return { ...choices, updated_at: JSON.stringify(choices) };
}
