import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TypedFilter } from '../../components/lists/typed-filter.tsx';
import { useDeletion, useHeldKeys } from '../../components/lists/use-deletion.ts';
import { MoreRows } from '../../components/more-rows.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { api } from '../../lib/api.ts';
import { classNames } from '../../lib/class-names.ts';
import type { ChatPlace } from './chat-place.ts';
import { type ChatConversation, conversationKey, conversationsQuery } from './conversation-queries.ts';
import { RenameDialog } from './rename-dialog.tsx';

interface ConversationListProps {
  place: ChatPlace;
  /** Names of the pipelines by uuid; shown if there are several. */
  pipelines: ReadonlyMap<string, string>;
  /** Called when a conversation is opened. */
  onOpen?: () => void;
  /** Called when the open conversation is deleted. */
  onDeleted: () => void;
}

/** The conversations of the account, with search. */
export function ConversationList({ place, pipelines, onOpen, onDeleted }: ConversationListProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [search, setSearch] = useState('');
  const [renamed, setRenamed] = useState<ChatConversation | null>(null);
  const query = useInfiniteQuery(conversationsQuery(search));
  const held = useHeldKeys();
  const remove = useDeletion();
  const isOpen = ({ pipeline_uuid, conversation }: ChatConversation) =>
    pipeline_uuid === place.pipeline && conversation === place.conversation;

  const onDelete = (conversation: ChatConversation) => {
    const { uuid, title } = conversation;
    remove({
      keys: [conversationKey(uuid)],
      text: t('chat.conversationDeleted', { title: title || t('chat.untitled') }),
      send: (keepalive) => api.delete('/api/v1/chat/conversations/{uuid}', { params: { path: { uuid } }, keepalive }),
      refresh: () => queries.invalidateQueries({ queryKey: ['messages', 'chat-conversations'] }),
    });
    if (isOpen(conversation)) onDeleted();
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <TypedFilter
        label={t('chat.searchConversations')}
        value={search || undefined}
        longest={200}
        hasIcon
        onChange={(value) => setSearch(value ?? '')}
        className="mx-3 mb-3"
      />
      <nav aria-label={t('chat.conversations')} className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        <Loaded query={query} rows={4}>
          {({ pages }) => {
            const shown = pages
              .flatMap(({ conversations }) => conversations)
              .filter(({ uuid }) => !held.has(conversationKey(uuid)));
            return (
              <>
                {shown.length === 0 && (
                  <p className="px-3 py-6 text-center text-sm text-muted-foreground">
                    {t(search === '' ? 'chat.noConversations' : 'chat.noConversationsFound')}
                  </p>
                )}
                <ul className="space-y-0.5">
                  {shown.map((conversation) => (
                    <li
                      key={conversation.uuid}
                      className={classNames(
                        'flex items-center rounded-lg transition-colors hover:bg-muted',
                        isOpen(conversation) && 'bg-muted',
                      )}
                    >
                      <Link
                        to="/chat"
                        search={{ pipeline: conversation.pipeline_uuid, conversation: conversation.conversation }}
                        aria-current={isOpen(conversation) ? 'page' : undefined}
                        {...(onOpen !== undefined && { onClick: onOpen })}
                        className="min-w-0 flex-1 rounded-lg px-3 py-2 text-sm"
                      >
                        <span className="block truncate">{conversation.title || t('chat.untitled')}</span>
                        {pipelines.size > 1 && (
                          <span className="block truncate text-xs text-muted-foreground">
                            {pipelines.get(conversation.pipeline_uuid) ?? t('common.deleted')}
                          </span>
                        )}
                      </Link>
                      <ActionMenu
                        subject={conversation.title || t('chat.untitled')}
                        actions={[
                          { label: t('chat.rename'), icon: PencilLine, onSelect: () => setRenamed(conversation) },
                        ]}
                        onDelete={() => onDelete(conversation)}
                      />
                    </li>
                  ))}
                </ul>
                <MoreRows query={query} />
              </>
            );
          }}
        </Loaded>
      </nav>
      {renamed !== null && <RenameDialog conversation={renamed} onClose={() => setRenamed(null)} />}
    </div>
  );
}
