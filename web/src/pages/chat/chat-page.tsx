import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { useTitle } from '../../lib/use-title.ts';
import { ChatHeader } from './chat-header.tsx';
import { ConversationView } from './conversation-view.tsx';

/** Finds the default pipeline, and the name of its bot. */
async function findPartner() {
  const [{ pipelines }, { bots }] = await Promise.all([api.get('/api/v1/pipelines'), api.get('/api/v1/platform/bots')]);
  const pipeline = pipelines.find((candidate) => candidate.is_default);
  const bot = bots.find((candidate) => candidate.enable && candidate.use_pipeline_uuid === pipeline?.uuid);
  return { pipelineUuid: pipeline?.uuid, botName: bot?.name };
}

/** A chat with the default bot. */
export function ChatPage() {
  const { t } = useTranslation();
  useTitle(t('chat.title'));
  const partner = useQuery({ queryKey: ['partner'], queryFn: findPartner });

  return (
    <div className="flex h-[calc(100dvh-3.5rem)] flex-col lg:h-dvh">
      {partner.data?.pipelineUuid !== undefined ? (
        <ConversationView pipelineUuid={partner.data.pipelineUuid} botName={partner.data.botName} />
      ) : (
        <>
          <ChatHeader />
          <div className="m-auto w-full max-w-md p-4">
            {partner.isError && (
              <>
                <FailureAlert error={partner.error} />
                <Button variant="outline" className="mt-4 w-full" onClick={() => partner.refetch()}>
                  {t('chat.retry')}
                </Button>
              </>
            )}
            {partner.isSuccess && <Alert variant="notice">{t('chat.noPipeline')}</Alert>}
          </div>
        </>
      )}
    </div>
  );
}
