import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { pipelineChoiceQuery } from '../../components/bots/bot-queries.ts';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { accountQuery } from '../../lib/account.ts';
import { reasonText } from '../../lib/error-text.ts';
import { Composer } from '../chat/composer.tsx';
import { ConnectionNotice } from '../chat/connection-notice.tsx';
import { conversationKeys } from '../chat/kept-messages.ts';
import { MessageList, useIsAnswering } from '../chat/message-list.tsx';
import { useConversation } from '../chat/use-conversation.ts';
import { useStickToEnd } from '../chat/use-stick-to-end.ts';
import { StepHeading } from './step-heading.tsx';

/** Its messages are no part of the chat. */
const guide = { conversation: 'guide' };

interface HelloStepProps {
  isEnding: boolean;
  onFinish: () => void;
}

/** A first chat with the default pipeline. */
export function HelloStep({ isEnding, onFinish }: HelloStepProps) {
  const { t } = useTranslation();
  const pipelines = useQuery(pipelineChoiceQuery);
  const account = useQuery(accountQuery);
  return (
    <>
      <StepHeading title={t('guidedStart.helloTitle')}>{t('guidedStart.helloText')}</StepHeading>
      <Loaded query={pipelines} rows={2}>
        {(all) => {
          const pipeline = all.find(({ is_default }) => is_default);
          if (pipeline === undefined) return <Alert variant="notice">{t('guidedStart.noPipeline')}</Alert>;
          return (
            <Loaded query={account} rows={2}>
              {({ user }) => <Hello key={`${user}/${pipeline.uuid}`} pipelineUuid={pipeline.uuid} />}
            </Loaded>
          );
        }}
      </Loaded>
      <div className="mt-7 border-t pt-5">
        <Button disabled={isEnding} onClick={onFinish}>
          {t('guidedStart.finish')}
        </Button>
      </div>
    </>
  );
}

function Hello({ pipelineUuid }: { pipelineUuid: string }) {
  const { t } = useTranslation();
  const chat = useConversation(pipelineUuid, 'person', guide);
  const isAnswering = useIsAnswering(chat);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { goToEnd } = useStickToEnd(box, content);
  const isEmpty = chat.loaded && chat.messages.length === 0 && chat.outgoing.length === 0;
  const text = t('guidedStart.hello');
  const send = async (written: string) => {
    goToEnd();
    chat.send(written);
    return true;
  };
  return (
    <div className="max-w-3xl">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <div ref={box} tabIndex={0} className="max-h-[50dvh] overflow-y-auto rounded-xl border bg-background px-4">
        <div ref={content}>
          {isEmpty ? (
            <div className="py-8 text-center">
              <Button variant="outline" onClick={() => void send(text)}>
                {t('guidedStart.sayHello', { text })}
              </Button>
            </div>
          ) : (
            <MessageList chat={chat} botName={t('chat.bot')} mayEdit />
          )}
        </div>
      </div>
      <div className="mt-3 space-y-2.5">
        <ConnectionNotice state={chat.connection} />
        {chat.loadError !== null && <FailureAlert error={chat.loadError} />}
        {chat.error !== null && (
          <Alert dismiss={{ label: t('chat.dismiss'), onDismiss: chat.dismiss }}>
            {reasonText(chat.error.reason ?? '', t) ?? chat.error.message}
          </Alert>
        )}
        <Composer
          storageKey={conversationKeys(pipelineUuid, 'person', guide).text}
          onSend={send}
          onStop={isAnswering ? chat.stop : undefined}
          isStopping={chat.stopping}
        />
      </div>
    </div>
  );
}
