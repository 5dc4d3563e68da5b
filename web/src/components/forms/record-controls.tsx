import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { NextStep } from '../next-step.tsx';
import { Select } from '../ui/select.tsx';
import type { ControlProps } from './control-props.ts';

type ModelKind = 'llm' | 'embedding' | 'rerank';

/** The models of a kind, for selection. */
async function modelsOf(kind: ModelKind): Promise<{ uuid: string; name: string }[]> {
  const { models } = await api.get(`/api/v1/provider/models/${kind}`);
  return models;
}

interface ModelSelectProps {
  id?: string;
  kind: ModelKind;
  label?: string;
  value: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  onChange: (uuid: string) => void;
}

/** One of the models of a kind, or none. */
export function ModelSelect({ id, kind, label, value, describedBy, isInvalid, onChange }: ModelSelectProps) {
  const { t } = useTranslation();
  const models = useQuery({ queryKey: ['models', kind], queryFn: () => modelsOf(kind) });
  return (
    <RecordSelect
      id={id}
      label={label}
      value={value}
      describedBy={describedBy}
      isInvalid={isInvalid}
      onChange={onChange}
      none={t('common.none')}
      records={models.data}
    />
  );
}

interface RecordSelectProps extends Omit<ModelSelectProps, 'kind' | 'id' | 'label' | 'isInvalid'> {
  id?: string | undefined;
  label?: string | undefined;
  isInvalid?: boolean | undefined;
  none: string;
  records: readonly { uuid: string; name: string }[] | undefined;
}

/** A record, or none. A deleted one is shown by its id until another is selected. */
export function RecordSelect({ id, label, value, describedBy, isInvalid, onChange, none, records }: RecordSelectProps) {
  const isKnown = value === '' || (records ?? []).some(({ uuid }) => uuid === value);
  return (
    <Select
      id={id}
      className="min-w-0 flex-1"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{none}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {(records ?? []).map(({ uuid, name }) => (
        <option key={uuid} value={uuid}>
          {name}
        </option>
      ))}
    </Select>
  );
}

const kinds: Record<string, ModelKind> = {
  'llm-model-selector': 'llm',
  'embedding-model-selector': 'embedding',
  'rerank-model-selector': 'rerank',
};

/** A model of the kind in the field type. */
export function ModelControl({ id, field, value, onChange, describedBy, isInvalid }: ControlProps) {
  return (
    <div className="max-w-md">
      <ModelSelect
        id={id}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onChange={onChange}
        kind={kinds[field.type] ?? 'llm'}
        value={typeof value === 'string' ? value : ''}
      />
    </div>
  );
}

/** A bot. */
export function PipelineBotControl({ id, value, onChange, describedBy, isInvalid }: ControlProps) {
  const { t } = useTranslation();
  const bots = useQuery({ queryKey: ['bots'], queryFn: () => api.get('/api/v1/platform/bots') });
  return (
    <div className="max-w-md">
      <RecordSelect
        id={id}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onChange={onChange}
        value={typeof value === 'string' ? value : ''}
        none={t('common.none')}
        records={bots.data?.bots}
      />
    </div>
  );
}

/** Any number of knowledge bases. */
export function KnowledgeBasesControl({ id, value, onChange, describedBy }: ControlProps) {
  const { t } = useTranslation();
  const bases = useQuery({ queryKey: ['knowledge'], queryFn: () => api.get('/api/v1/knowledge/bases') });
  const chosen = (Array.isArray(value) ? value : []).map(String);
  const records = bases.data?.bases ?? [];
  const gone = chosen.filter((uuid) => bases.isSuccess && !records.some((base) => base.uuid === uuid));
  const all = [...records.map(({ uuid, name }) => ({ uuid, name })), ...gone.map((uuid) => ({ uuid, name: uuid }))];
  return (
    <fieldset id={id} aria-describedby={describedBy} className="space-y-2">
      {bases.isSuccess && all.length === 0 && (
        <p className="text-sm text-muted-foreground">
          {t('forms.noKnowledgeBases')} <NextStep to="/knowledge/new">{t('knowledge.new')}</NextStep>
        </p>
      )}
      {all.map(({ uuid, name }) => (
        <label key={uuid} className="flex w-fit items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4.5 accent-primary"
            checked={chosen.includes(uuid)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, uuid] : chosen.filter((one) => one !== uuid))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
