import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { basesQuery } from './pipeline-queries.ts';
import { configOf, knowledgeTemplates, templates } from './templates.ts';

interface NewPipelineDialogProps {
  onCreated: (uuid: string) => void;
  onClose: () => void;
}

/** Creates a pipeline from a name and perhaps a template. */
export function NewPipelineDialog({ onCreated, onClose }: NewPipelineDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const input = useKeptInput('new-pipeline', () => ({ name: '', template: '', base: '' }));
  const { name, base } = input.value;
  const template = templates.find((one) => one === input.value.template);
  const takesKnowledge = template !== undefined && knowledgeTemplates.includes(template);
  const bases = useQuery({ ...basesQuery, enabled: takesKnowledge });
  const [templateId, baseId] = [useId(), useId()];
  const choose = (chosen: string) => {
    const known = templates.find((one) => one === chosen);
    const suggested = templates.map((one) => t(`pipelines.templates.${one}.name`));
    // A name that was typed stays.
    const isTyped = name !== '' && !suggested.includes(name);
    input.change({
      ...input.value,
      template: chosen,
      name: isTyped ? name : known === undefined ? '' : t(`pipelines.templates.${known}.name`),
    });
  };
  const close = () => {
    input.forget();
    onClose();
  };
  const create = useMutation({
    mutationFn: () => {
      if (template === undefined) return api.post('/api/v1/pipelines', { body: { name: name.trim() } });
      const prompt = t(`pipelines.templates.${template}.prompt`, { skipInterpolation: true });
      const config = configOf(template, { prompt, knowledgeBases: base === '' ? [] : [base] });
      const description = t(`pipelines.templates.${template}.text`);
      return api.post('/api/v1/pipelines', { body: { name: name.trim(), description, config } });
    },
    onSuccess: ({ uuid }) => {
      input.forget();
      void queries.invalidateQueries({ queryKey: ['pipelines'] });
      onCreated(uuid);
    },
  });
  return (
    <Dialog title={t('pipelines.new')} onClose={close}>
      <form
        className="mt-2 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '' && !create.isPending) create.mutate();
        }}
      >
        <p className="text-pretty text-muted-foreground">{t('pipelines.newText')}</p>
        <div>
          <Label htmlFor={templateId}>{t('pipelines.template')}</Label>
          <Select
            id={templateId}
            className="mt-1.5"
            value={template ?? ''}
            onChange={(event) => choose(event.target.value)}
          >
            <option value="">{t('pipelines.emptyTemplate')}</option>
            {templates.map((one) => (
              <option key={one} value={one}>
                {t(`pipelines.templates.${one}.name`)}
              </option>
            ))}
          </Select>
          {template !== undefined && (
            <p className="mt-1.5 text-sm text-pretty text-muted-foreground">
              {t(`pipelines.templates.${template}.text`)}
            </p>
          )}
        </div>
        {takesKnowledge && (
          <div>
            <Label htmlFor={baseId}>{t('pipelines.templateBase')}</Label>
            <Select
              id={baseId}
              className="mt-1.5"
              value={base}
              onChange={(event) => input.change({ ...input.value, base: event.target.value })}
            >
              <option value="">{t('common.none')}</option>
              {(bases.data ?? []).map(({ uuid, name: label }) => (
                <option key={uuid} value={uuid}>
                  {label}
                </option>
              ))}
            </Select>
          </div>
        )}
        {create.isError && <FailureAlert error={create.error} />}
        <TextField
          label={t('common.name')}
          value={name}
          autoComplete="off"
          required
          error={faultsOf(create.error).find(({ path }) => path === 'name')?.message}
          onChange={(event) => input.change({ ...input.value, name: event.target.value })}
        />
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button variant="outline" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={name.trim() === '' || create.isPending}>
            {t('pipelines.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
