import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import {
  longestPipelineFile,
  type MissingRecord,
  missingIn,
  type PipelineFile,
  readPipelineFile,
} from './pipeline-file.ts';

interface ImportPipelineDialogProps {
  onCreated: (uuid: string) => void;
  onClose: () => void;
}

/** Creates a pipeline from an exported file, and asks what to use instead of what does not exist here. */
export function ImportPipelineDialog({ onCreated, onClose }: ImportPipelineDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const fileId = useId();
  const [file, setFile] = useState<PipelineFile | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const known = useQuery({ queryKey: ['pipelines', 'references'], queryFn: readReferences });
  const missing = file === null || known.data === undefined ? [] : missingIn(file, known.data);
  const choiceOf = ({ uuid, suggested }: MissingRecord) => chosen[uuid] ?? suggested;

  const create = useMutation({
    mutationFn: () => {
      const replacements = Object.fromEntries(missing.map((record) => [record.uuid, choiceOf(record)]));
      return api.post('/api/v1/pipelines/_/import', { body: { file: file ?? {}, replacements } });
    },
    onSuccess: ({ uuid }) => {
      void queries.invalidateQueries({ queryKey: ['pipelines'] });
      onCreated(uuid);
    },
  });

  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const given = target.files?.[0];
    setFile(null);
    setFault(null);
    create.reset();
    if (given === undefined) return;
    if (given.size > longestPipelineFile) return setFault(t('pipelines.fileTooLarge'));
    const content = readPipelineFile(await given.text());
    if (content === null) setFault(t('pipelines.fileUnknown'));
    else setFile(content);
  };

  return (
    <Dialog title={t('pipelines.import')} onClose={onClose}>
      <form
        className="mt-2 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null && !create.isPending) create.mutate();
        }}
      >
        <p className="text-pretty text-muted-foreground">{t('pipelines.importText')}</p>
        <div>
          <Label htmlFor={fileId}>{t('pipelines.file')}</Label>
          <input
            id={fileId}
            type="file"
            accept="application/json,.json"
            className="mt-1.5 block w-full text-sm file:mr-3 file:h-9 file:cursor-pointer file:rounded-lg file:border file:bg-card file:px-3"
            onChange={(event) => void read(event)}
          />
        </div>
        {fault !== null && <Alert>{fault}</Alert>}
        {create.isError && <FailureAlert error={create.error} />}
        {file !== null && <p className="font-medium break-words">{file.pipeline.name}</p>}
        {missing.length > 0 && <p className="text-sm text-pretty">{t('pipelines.missingText')}</p>}
        {missing.map((record) => (
          <Missing
            key={record.uuid}
            record={record}
            value={choiceOf(record)}
            onChange={(uuid) => setChosen({ ...chosen, [record.uuid]: uuid })}
          />
        ))}
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={file === null || known.data === undefined || create.isPending}>
            {t('pipelines.import')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface MissingProps {
  record: MissingRecord;
  value: string;
  onChange: (uuid: string) => void;
}

/** What to use instead of a record that does not exist here. */
function Missing({ record, value, onChange }: MissingProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div>
      <Label htmlFor={id}>{t(`pipelines.missing.${record.kind}`, { name: record.name })}</Label>
      <Select id={id} className="mt-1.5" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t('common.none')}</option>
        {record.options.map((option) => (
          <option key={option.uuid} value={option.uuid}>
            {option.name}
          </option>
        ))}
      </Select>
    </div>
  );
}

async function readReferences() {
  const [{ models }, { bases }, { servers }] = await Promise.all([
    api.get('/api/v1/provider/models/llm'),
    api.get('/api/v1/knowledge/bases'),
    api.get('/api/v1/mcp/servers'),
  ]);
  return { models, knowledge_bases: bases, mcp_servers: servers };
}
