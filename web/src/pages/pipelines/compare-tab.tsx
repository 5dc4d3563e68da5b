import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../components/ui/alert.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { reasonText } from '../../lib/error-text.ts';
import { ClearButton } from '../chat/clear-button.tsx';
import { Composer } from '../chat/composer.tsx';
import { ConnectionNotice } from '../chat/connection-notice.tsx';
import type { ChatMessage } from '../chat/conversation.ts';
import { conversationKeys } from '../chat/kept-messages.ts';
import { MessageList } from '../chat/message-list.tsx';
import { type Trial, useConversation } from '../chat/use-conversation.ts';
import { type Pipeline, versionsQuery } from './pipeline-queries.ts';
import type { PipelineDraft } from './use-pipeline-draft.ts';

interface CompareTabProps {
  pipeline: Pipeline;
  draft: PipelineDraft;
}

interface SideHandle {
  send: (text: string) => void;
}

/** One question to two versions or two models, side by side, each in a conversation of its own. */
export function CompareTab({ pipeline, draft }: CompareTabProps) {
  const { t } = useTranslation();
  const [left, setLeft] = useState<Trial>({ version: String(pipeline.version) });
  const [right, setRight] = useState<Trial>({ version: 'draft' });
  const [first, second] = [useRef<SideHandle>(null), useRef<SideHandle>(null)];
  const isSame = keyOf(left) === keyOf(right);
  const sides = [
    { ref: first, trial: left, onChange: setLeft },
    { ref: second, trial: right, onChange: setRight },
  ];
  const send = async (text: string) => {
    if (isSame) return false;
    const asksDraft = [left, right].some(({ version }) => version === 'draft');
    if (asksDraft && !(await draft.settle())) return false;
    first.current?.send(text);
    second.current?.send(text);
    return true;
  };
  return (
    <div>
      <p className="mb-4 max-w-2xl text-sm text-pretty text-muted-foreground">{t('pipelines.compareText')}</p>
      <div className="grid gap-4 md:grid-cols-2">
        {sides.map(({ ref, trial, onChange }, index) => (
          <section
            // biome-ignore lint/suspicious/noArrayIndexKey: the sides are left and right
            key={index}
            aria-label={t('pipelines.compareSide', { number: index + 1 })}
            className="flex min-w-0 flex-col rounded-2xl border bg-background"
          >
            <Choice pipeline={pipeline} trial={trial} onChange={onChange} />
            <Side key={keyOf(trial)} ref={ref} pipeline={pipeline} trial={trial} />
          </section>
        ))}
      </div>
      <div className="mt-4">
        {isSame && (
          <Alert variant="notice" className="mb-3">
            {t('pipelines.compareSame')}
          </Alert>
        )}
        <Composer storageKey={conversationKeys(pipeline.uuid, 'compare').text} takesFocus={false} onSend={send} />
      </div>
    </div>
  );
}

function keyOf({ version = '', model = '' }: Trial): string {
  return `${version} ${model}`;
}

interface ChoiceProps {
  pipeline: Pipeline;
  trial: Trial;
  onChange: (trial: Trial) => void;
}

/** The version and the model of a side. */
function Choice({ pipeline, trial, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  const [versionId, modelId] = [useId(), useId()];
  const versions = useQuery(versionsQuery(pipeline.uuid));
  const models = useQuery({
    queryKey: ['models', 'llm', 'compared'],
    queryFn: () => api.get('/api/v1/provider/models/llm'),
  });
  const { version, model } = trial;
  return (
    <div className="grid gap-3 border-b p-4 sm:grid-cols-2">
      <div>
        <Label htmlFor={versionId}>{t('pipelines.version')}</Label>
        <Select
          id={versionId}
          className="mt-1.5"
          value={version ?? ''}
          onChange={({ target }) => onChange({ ...trial, version: target.value })}
        >
          <option value="draft">{t('pipelines.draft')}</option>
          {(versions.data ?? []).map(({ version: number }) => (
            <option key={number} value={String(number)}>
              {t('pipelines.versionNumber', { number })}
            </option>
          ))}
        </Select>
      </div>
      <div>
        <Label htmlFor={modelId}>{t('pipelines.compareModel')}</Label>
        <Select
          id={modelId}
          className="mt-1.5"
          value={model ?? ''}
          onChange={({ target }) =>
            onChange({ ...(version && { version }), ...(target.value && { model: target.value }) })
          }
        >
          <option value="">{t('pipelines.compareOwnModel')}</option>
          {(models.data?.models ?? []).map(({ uuid, name }) => (
            <option key={uuid} value={uuid}>
              {name}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}

interface SideProps {
  ref: Ref<SideHandle>;
  pipeline: Pipeline;
  trial: Trial;
}

function Side({ ref, pipeline, trial }: SideProps) {
  const { t } = useTranslation();
  const chat = useConversation(pipeline.uuid, 'person', { ...trial, conversation: 'compared' });
  useImperativeHandle(ref, () => ({ send: chat.send }));
  const traceOf = ({ uuid, content }: ChatMessage) =>
    uuid !== undefined && (
      <Link
        to="/messages/$uuid"
        params={{ uuid }}
        className="inline-flex items-center gap-1.5 rounded px-2 py-1 text-xs underline-offset-4 hover:underline [&_svg]:size-4"
        aria-label={`${t('explain.openNamed')}: ${content.slice(0, 60)}`}
      >
        <ListTree aria-hidden />
        {t('explain.open')}
      </Link>
    );
  return (
    <div className="min-h-48 px-4 pb-4">
      <div className="flex justify-end pt-2">
        <ClearButton disabled={chat.messages.length === 0} onClear={chat.clear} />
      </div>
      <ConnectionNotice state={chat.connection} />
      {chat.error !== null && <Alert>{reasonText(chat.error.reason ?? '', t) ?? chat.error.message}</Alert>}
      <MessageList chat={chat} botName={pipeline.name} actionsOf={traceOf} />
    </div>
  );
}
