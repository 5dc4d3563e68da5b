import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import type { Feedback } from './message-queries.ts';

/** Like or dislike. */
export function Opinion({ type }: { type: number }) {
  const { t } = useTranslation();
  const isLike = type === 1;
  const Icon = isLike ? ThumbsUp : ThumbsDown;
  return (
    <Badge tone={isLike ? 'good' : 'bad'}>
      <Icon aria-hidden className="size-3.5" />
      {t(isLike ? 'messages.opinions.like' : 'messages.opinions.dislike')}
    </Badge>
  );
}

/** Comment and selected reasons. */
export function FeedbackContent({ feedback }: { feedback: Pick<Feedback, 'feedback_content' | 'inaccurate_reasons'> }) {
  const { t } = useTranslation();
  const ticked = textsOf(feedback.inaccurate_reasons);
  if (!feedback.feedback_content && ticked.length === 0) {
    return <span className="text-muted-foreground">{t('messages.feedback.noContent')}</span>;
  }
  return (
    <div className="max-w-md space-y-1.5">
      {feedback.feedback_content && <p className="break-words whitespace-pre-wrap">{feedback.feedback_content}</p>}
      {ticked.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          {ticked.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts may repeat, and nothing moves
            <Badge key={index}>{text}</Badge>
          ))}
        </p>
      )}
    </div>
  );
}

/** The values depend on the platform. */
function textsOf(json: string | null): string[] {
  if (json === null) return [];
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.map(String) : [json];
  } catch {
    return [json];
  }
}
