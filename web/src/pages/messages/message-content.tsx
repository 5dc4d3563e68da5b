import { File as FileIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MessageCitations, useMessageSources } from '../../components/explain/message-citations.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { MessageImage } from '../../components/message-image.tsx';
import { useSeen } from '../../lib/use-seen.ts';
import type { Message } from './message-queries.ts';

interface MessageContentProps {
  message: Pick<Message, 'uuid' | 'direction' | 'text' | 'message_chain'>;
  /** Whether the sources of an answer can be opened, for which its trace is loaded. */
  opensSources?: boolean;
}

/** The content of a message: of a user as plain text, of a bot as Markdown; with images, and files by name. */
export function MessageContent({ message, opensSources = false }: MessageContentProps) {
  const { t } = useTranslation();
  const { uuid, direction, text, message_chain: chain } = message;
  const pictures = chain.flatMap((element, index) => {
    const address = textIn(element, 'base64') || textIn(element, 'url');
    return element.type === 'Image' && address !== '' ? { address, index } : [];
  });
  const others = chain.filter(({ type }) => type === 'File' || type === 'Voice');
  return (
    <div className="min-w-0 space-y-3">
      {text === '' ? (
        chain.length > 0 && others.length + pictures.length > 0 ? null : (
          <p className="text-muted-foreground">{t('messages.noText')}</p>
        )
      ) : direction === 'inbound' ? (
        <p className="leading-relaxed break-words whitespace-pre-wrap">{text}</p>
      ) : (
        <Answer uuid={uuid} text={shownText(chain) || text} opensSources={opensSources} />
      )}
      {pictures.map(({ address, index }) => (
        <MessageImage
          key={index}
          address={address}
          alt={t('messages.picture')}
          stored={{ message: uuid, element: index }}
          className="max-h-80 rounded-xl"
        />
      ))}
      {others.map((element, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: files may repeat, and nothing moves
        <p key={index} className="flex items-center gap-2 text-sm text-muted-foreground">
          <FileIcon aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 break-all">
            {element.type === 'Voice' ? t('messages.voice') : textIn(element, 'name') || t('messages.file')}
          </span>
        </p>
      ))}
    </div>
  );
}

/** What was sent: with the list of sources and notices, which are not part of the text for the model. */
function shownText(chain: Message['message_chain']): string {
  return chain.flatMap((element) => (element.type === 'Plain' ? textIn(element, 'text') : [])).join('');
}

function Answer({ uuid, text, opensSources }: { uuid: string; text: string; opensSources: boolean }) {
  const [place, isSeen] = useSeen();
  const sources = useMessageSources({ uuid, text, isFinal: opensSources && isSeen, known: undefined });
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <div ref={place}>
      <Markdown text={text} sources={sources} onOpenSource={setOpened} />
      {opened !== null && <MessageCitations messageUuid={uuid} number={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

function textIn(element: Record<string, unknown>, name: string): string {
  const value = element[name];
  return typeof value === 'string' ? value : '';
}
