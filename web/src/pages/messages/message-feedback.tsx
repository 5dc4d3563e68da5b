import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { FeedbackContent, Opinion } from './feedback-content.tsx';
import { feedbackOfQuery } from './message-queries.ts';

interface MessageFeedbackProps {
  answer: string;
  question: string | null;
}

/** The feedback on an answer, and buttons to add some. */
export function MessageFeedback({ answer, question }: MessageFeedbackProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const query = useQuery(feedbackOfQuery(question === null ? [answer] : [answer, question]));
  const give = useMutation({
    mutationFn: (feedback_type: 1 | 2) =>
      api.post('/api/v1/messages/{message_uuid}/feedback', {
        params: { path: { message_uuid: answer } },
        body: { feedback_type },
      }),
    onSuccess: () => {
      notify.done(t('messages.feedback.given'));
      return queries.invalidateQueries({ queryKey: ['messages'] });
    },
    onError: notify.failed,
  });
  return (
    <section aria-labelledby="message-feedback">
      <h2 id="message-feedback" className="mb-3 font-semibold">
        {t('messages.tabs.feedback')}
      </h2>
      <Loaded query={query} rows={1}>
        {(feedback) =>
          feedback.length === 0 ? (
            <p className="text-sm text-muted-foreground">{t('messages.feedback.none')}</p>
          ) : (
            <ul className="space-y-4 text-sm">
              {feedback.map((one) => (
                <li key={one.id} className="space-y-1.5">
                  <p className="flex flex-wrap items-center gap-2">
                    <Opinion type={one.feedback_type} />
                    <span className="text-xs text-muted-foreground">
                      <RelativeTime timestamp={one.timestamp} />
                    </span>
                  </p>
                  <FeedbackContent feedback={one} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outline" size="small" disabled={give.isPending} onClick={() => give.mutate(1)}>
          <ThumbsUp aria-hidden />
          {t('messages.feedback.good')}
        </Button>
        <Button variant="outline" size="small" disabled={give.isPending} onClick={() => give.mutate(2)}>
          <ThumbsDown aria-hidden />
          {t('messages.feedback.bad')}
        </Button>
      </div>
    </section>
  );
}
