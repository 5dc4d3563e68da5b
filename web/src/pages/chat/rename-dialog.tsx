import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import type { ChatConversation } from './conversation-queries.ts';

interface RenameDialogProps {
  conversation: ChatConversation;
  onClose: () => void;
}

/** Changes the title of a conversation. */
export function RenameDialog({ conversation, onClose }: RenameDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const input = useKeptInput(`chat-title:${conversation.uuid}`, () => ({ title: conversation.title }));
  const { title } = input.value;
  const close = () => {
    input.forget();
    onClose();
  };
  const rename = useMutation({
    mutationFn: () =>
      api.put('/api/v1/chat/conversations/{uuid}', {
        params: { path: { uuid: conversation.uuid } },
        body: { title: title.trim() },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['messages', 'chat-conversations'] });
      close();
    },
  });
  return (
    <Dialog title={t('chat.rename')} onClose={close}>
      <form
        className="mt-4 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <TextField
          label={t('chat.conversationTitle')}
          help={t('chat.conversationTitleHelp')}
          value={title}
          maxLength={200}
          onChange={(event) => input.change({ title: event.target.value })}
        />
        {rename.isError && <FailureAlert error={rename.error} />}
        <div className="flex flex-wrap justify-end gap-2.5">
          <Button variant="outline" onClick={close}>
            {t('clear.cancel')}
          </Button>
          <Button type="submit" disabled={rename.isPending}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
