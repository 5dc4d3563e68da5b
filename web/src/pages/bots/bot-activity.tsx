import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Bot, lastErrorQuery, lastReceivedQuery } from '../../components/bots/bot-queries.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { eventText } from './event-text.ts';

/** When a bot last received a message, and its last error, which leads to the event log. */
export function BotActivity({ bot }: { bot: Bot }) {
  const { t, i18n } = useTranslation();
  const received = useQuery(lastReceivedQuery(bot.uuid)).data;
  const error = useQuery(lastErrorQuery(bot.uuid)).data;
  return (
    <>
      {received !== undefined && (
        <span>
          {t('bots.lastReceived')}: {received === null ? t('bots.noActivity') : <RelativeTime timestamp={received} />}
        </span>
      )}
      {error != null && (
        <span className="flex max-w-full min-w-0 gap-1">
          <span className="shrink-0">{t('bots.lastError')}:</span>
          <Link
            to="/bots/$uuid"
            params={{ uuid: bot.uuid }}
            search={{ tab: 'log', level: 'error' }}
            title={error.text}
            className="flex min-w-0 gap-1 rounded underline underline-offset-4"
          >
            <span className="max-w-72 truncate">{eventText(error, i18n.language, t) ?? error.text}</span>
            <span className="shrink-0">
              (<RelativeTime timestamp={new Date(error.timestamp * 1000).toISOString()} />)
            </span>
          </Link>
        </span>
      )}
    </>
  );
}
