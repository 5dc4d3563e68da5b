import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Checkbox } from '../../components/ui/checkbox.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { ownFeedback } from './own-feedback.ts';

const like = 1;
const dislike = 2;
const reasons = ['wrong', 'incomplete', 'offTopic', 'tooLong', 'badSources'] as const;

interface Opinion {
  feedback_type: typeof like | typeof dislike;
  feedback_content?: string | null;
  inaccurate_reasons?: string[] | null;
}

/** Likes or dislikes an answer; a dislike may have reasons and a comment. */
export function AnswerFeedback({ messageUuid }: { messageUuid: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [asksWhy, setAsksWhy] = useState(false);
  const give = useMutation({
    mutationFn: (opinion: Opinion) =>
      api.post('/api/v1/messages/{message_uuid}/feedback', {
        params: { path: { message_uuid: messageUuid } },
        body: opinion,
      }),
    onSuccess: ({ feedback }) => {
      queries.setQueryData(['own-feedback', messageUuid], feedback.feedback_type);
      return queries.invalidateQueries({ queryKey: ['messages', 'feedback'] });
    },
  });
  const earlier = useQuery({
    queryKey: ['own-feedback', messageUuid],
    queryFn: () => ownFeedback(messageUuid),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const given = give.data?.feedback.feedback_type ?? earlier.data;
  return (
    <>
      <Button
        variant="ghost"
        size="small"
        aria-label={t('chat.like')}
        title={t('chat.like')}
        aria-pressed={given === like}
        onClick={() => give.mutate({ feedback_type: like }, { onError: notify.failed })}
        className="aria-pressed:text-primary"
      >
        <ThumbsUp aria-hidden className={given === like ? 'fill-current' : ''} />
      </Button>
      <Button
        variant="ghost"
        size="small"
        aria-label={t('chat.dislike')}
        title={t('chat.dislike')}
        aria-pressed={given === dislike}
        aria-haspopup="dialog"
        onClick={() => {
          give.mutate({ feedback_type: dislike }, { onError: notify.failed });
          setAsksWhy(true);
        }}
        className="aria-pressed:text-primary"
      >
        <ThumbsDown aria-hidden className={given === dislike ? 'fill-current' : ''} />
      </Button>
      {asksWhy && (
        <ReasonDialog
          messageUuid={messageUuid}
          onClose={() => setAsksWhy(false)}
          onGive={async (opinion) => {
            await give.mutateAsync({ feedback_type: dislike, ...opinion });
            notify.done(t('chat.feedbackGiven'));
            setAsksWhy(false);
          }}
        />
      )}
    </>
  );
}

interface ReasonDialogProps {
  messageUuid: string;
  onGive: (opinion: Omit<Opinion, 'feedback_type'>) => Promise<void>;
  onClose: () => void;
}

/** Asks what is wrong with an answer. */
function ReasonDialog({ messageUuid, onGive, onClose }: ReasonDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useKeptInput(`chat-feedback:${messageUuid}`, () => ({ chosen: [] as string[], comment: '' }));
  const { chosen, comment } = input.value;
  const send = useMutation({
    mutationFn: async () => {
      await onGive({
        feedback_content: comment.trim() || null,
        inaccurate_reasons: chosen.length === 0 ? null : chosen,
      });
      input.forget();
    },
  });
  const close = () => {
    input.forget();
    onClose();
  };
  const isEmpty = chosen.length === 0 && comment.trim() === '';
  return (
    <Dialog title={t('chat.feedbackTitle')} onClose={close}>
      <form
        className="mt-4 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) send.mutate();
        }}
      >
        <fieldset className="space-y-2.5">
          <legend className="sr-only">{t('chat.feedbackReasons')}</legend>
          {reasons.map((reason) => {
            const text = t(`chat.reasons.${reason}`);
            return (
              <div key={reason} className="flex items-center gap-2.5">
                <Checkbox
                  id={`${id}-${reason}`}
                  checked={chosen.includes(text)}
                  onChange={({ currentTarget: { checked } }) =>
                    input.change({
                      comment,
                      chosen: checked ? [...chosen, text] : chosen.filter((one) => one !== text),
                    })
                  }
                />
                <label htmlFor={`${id}-${reason}`}>{text}</label>
              </div>
            );
          })}
        </fieldset>
        <div className="space-y-2">
          <Label htmlFor={`${id}-comment`}>{t('chat.feedbackComment')}</Label>
          <Textarea
            id={`${id}-comment`}
            rows={3}
            maxLength={10_000}
            value={comment}
            onChange={(event) => input.change({ chosen, comment: event.target.value })}
          />
        </div>
        {send.isError && <FailureAlert error={send.error} />}
        <div className="flex flex-wrap justify-end gap-2.5">
          <Button variant="outline" onClick={close}>
            {t('clear.cancel')}
          </Button>
          <Button type="submit" disabled={isEmpty || send.isPending}>
            {t('chat.feedbackSend')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
