import { GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import type { FormTab } from './pipeline-fields.ts';
import type { PipelineDraft } from './use-pipeline-draft.ts';

/** Shows what publishing would change. */
export function ChangesButton({ form, draft }: { form: readonly FormTab[]; draft: PipelineDraft }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        <GitCompareArrows aria-hidden />
        {t('pipelines.showChanges')}
      </Button>
      {isOpen && (
        <ChangesDialog
          form={form}
          before={draft.published}
          after={draft.value}
          text={t('pipelines.changesText')}
          onClose={close}
        >
          <Button
            disabled={draft.isSaving}
            onClick={() => {
              draft.publish();
              close();
            }}
          >
            {t('pipelines.publish')}
          </Button>
        </ChangesDialog>
      )}
    </>
  );
}
