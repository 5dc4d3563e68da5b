import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';

interface NewPipelineDialogProps {
  onCreated: (uuid: string) => void;
  onClose: () => void;
}

/** Creates a pipeline from a name. */
export function NewPipelineDialog({ onCreated, onClose }: NewPipelineDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const input = useKeptInput('new-pipeline', () => ({ name: '' }));
  const { name } = input.value;
  const close = () => {
    input.forget();
    onClose();
  };
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/pipelines', { body: { name: name.trim() } }),
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
        {create.isError && <FailureAlert error={create.error} />}
        <TextField
          label={t('common.name')}
          value={name}
          autoComplete="off"
          required
          error={faultsOf(create.error).find(({ path }) => path === 'name')?.message}
          onChange={(event) => input.change({ name: event.target.value })}
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
