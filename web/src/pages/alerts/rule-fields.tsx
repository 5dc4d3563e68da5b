import type { ParleyApiErrorDetail } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { botsQuery } from '../../components/bots/bot-queries.ts';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { RecordSelect } from '../../components/forms/record-controls.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Checkbox } from '../../components/ui/checkbox.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { targetsQuery } from './alert-queries.ts';
import { alertKinds, numberFields, parametersOf, type RuleEntry, recordFields } from './rule-entry.ts';

interface RuleFieldsProps {
  value: RuleEntry;
  onChange: (value: RuleEntry) => void;
  faults: readonly ParleyApiErrorDetail[];
  /** The kind of a stored rule stays. */
  isNew?: boolean;
}

/** Condition and targets of an alert rule. */
export function RuleFields({ value, onChange, faults, isNew = false }: RuleFieldsProps) {
  const { t } = useTranslation();
  const id = useId();
  const faultAt = (path: string) => faults.find((fault) => fault.path === path)?.message;
  const setParameter = (field: string, text: string) =>
    onChange({ ...value, parameters: { ...value.parameters, [field]: text } });
  return (
    <div className="space-y-5">
      <TextField
        label={t('common.name')}
        value={value.name}
        autoComplete="off"
        error={faultAt('name')}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
      />
      {isNew && (
        <FieldShell id={id} label={t('alerts.condition')} help={t(`alerts.kindHelp.${value.kind}`)}>
          <Select
            id={id}
            aria-describedby={describedBy(id, { help: t(`alerts.kindHelp.${value.kind}`) })}
            value={value.kind}
            onChange={(event) => {
              const kind = alertKinds.find((one) => one === event.target.value) ?? value.kind;
              onChange({ ...value, kind, parameters: parametersOf[kind] });
            }}
          >
            {alertKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`alerts.kinds.${kind}`)}
              </option>
            ))}
          </Select>
        </FieldShell>
      )}
      {numberFields
        .filter((field) => field in parametersOf[value.kind])
        .map((field) => (
          <TextField
            key={field}
            label={t(`alerts.fields.${field}`)}
            className="max-w-40"
            inputMode="decimal"
            autoComplete="off"
            value={value.parameters[field] ?? ''}
            error={faultAt(`parameters.${field}`)}
            onChange={(event) => setParameter(field, event.target.value)}
          />
        ))}
      {recordFields
        .filter((field) => field in parametersOf[value.kind])
        .map((field) => (
          <RecordField
            key={field}
            field={field}
            value={value.parameters[field] ?? ''}
            error={faultAt(`parameters.${field}`)}
            onChange={(uuid) => setParameter(field, uuid)}
          />
        ))}
      <TextField
        label={t('alerts.fields.minimum_minutes')}
        help={t('alerts.minimumHelp')}
        className="max-w-40"
        inputMode="numeric"
        autoComplete="off"
        value={value.minimum_minutes}
        error={faultAt('minimum_minutes')}
        onChange={(event) => onChange({ ...value, minimum_minutes: event.target.value })}
      />
      <TargetChoice value={value.targets} onChange={(targets) => onChange({ ...value, targets })} />
    </div>
  );
}

interface RecordFieldProps {
  field: (typeof recordFields)[number];
  value: string;
  error: string | undefined;
  onChange: (uuid: string) => void;
}

const lists = {
  bot_uuid: { ...botsQuery, select: ({ bots }: Awaited<ReturnType<typeof readBots>>) => bots },
  pipeline_uuid: {
    queryKey: ['pipelines', 'names'],
    queryFn: async () => (await api.get('/api/v1/pipelines')).pipelines,
  },
  knowledge_base_uuid: {
    queryKey: ['bases', 'names'],
    queryFn: async () => (await api.get('/api/v1/knowledge/bases')).bases,
  },
};
const readBots = () => api.get('/api/v1/platform/bots');

/** Restricts a rule to one record. */
function RecordField({ field, value, error, onChange }: RecordFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const records = useQuery<readonly { uuid: string; name: string }[]>(lists[field] as never);
  return (
    <FieldShell id={id} label={t(`alerts.fields.${field}`)} error={error}>
      <RecordSelect
        id={id}
        value={value}
        describedBy={describedBy(id, { error })}
        isInvalid={error !== undefined}
        onChange={onChange}
        none={t('alerts.all')}
        records={records.data}
      />
    </FieldShell>
  );
}

function TargetChoice({ value, onChange }: { value: readonly string[]; onChange: (targets: string[]) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const targets = useQuery(targetsQuery);
  const gone = targets.data === undefined ? [] : value.filter((uuid) => !targets.data.some((one) => one.uuid === uuid));
  const choices = [...(targets.data ?? []), ...gone.map((uuid) => ({ uuid, name: t('alerts.deletedTarget') }))];
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t('alerts.notify')}</legend>
      <div className="space-y-2.5">
        {choices.map(({ uuid, name }) => (
          <div key={uuid} className="flex items-center gap-2.5">
            <Checkbox
              id={`${id}-${uuid}`}
              checked={value.includes(uuid)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...value, uuid] : value.filter((one) => one !== uuid))
              }
            />
            <Label htmlFor={`${id}-${uuid}`} className="break-words">
              {name}
            </Label>
          </div>
        ))}
        {choices.length === 0 && <p className="text-sm text-muted-foreground">{t('alerts.noTargetsYet')}</p>}
        <Link to="/alerts/targets/new" className="inline-block rounded text-sm underline underline-offset-4">
          {t('alerts.newTarget')}
        </Link>
      </div>
    </fieldset>
  );
}
