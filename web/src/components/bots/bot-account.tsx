import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Bot } from './bot-queries.ts';

/** The platform of the chat in the console. */
const webChat = 'websocket';

/** The account of a connected bot, by its handle if it is known, with a link to a chat with it. Else renders nothing. */
export function BotAccount({ bot }: { bot: Bot }) {
  const { t } = useTranslation();
  const { bot_account_id: id, bot_account_name, bot_account_url: url, state } = bot.adapter_runtime_values;
  const className = 'rounded break-all underline-offset-4 hover:underline';
  if (bot.adapter === webChat && state === 'running') {
    return (
      <Link to="/chat" className={className}>
        {t('bots.openChat')}
      </Link>
    );
  }
  if (id === null) return null;
  const name = bot_account_name ?? id;
  if (url === null)
    return (
      <span className="break-all" title={id}>
        {name}
      </span>
    );
  return (
    <a href={url} target="_blank" rel="noreferrer" title={id} className={`${className} inline-flex items-center gap-1`}>
      {name}
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
    </a>
  );
}
