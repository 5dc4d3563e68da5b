import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { number } from '../../lib/number-text.ts';
import { CopyButton } from '../copy-button.tsx';
import { Loaded } from '../states/loaded.tsx';
import { RawText } from './explain-part.tsx';
import { asCurl, asJson, shownBody } from './sent-request.ts';

/** The request of a model call as it was sent, folded; loaded when it is unfolded. */
export function ModelRequest({ messageUuid, callUuid }: { messageUuid: string; callUuid: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-1.5" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded py-1 text-xs text-muted-foreground hover:text-foreground">
        {t('explain.request.title')}
      </summary>
      {isOpen && <Content messageUuid={messageUuid} callUuid={callUuid} />}
    </details>
  );
}

function Content({ messageUuid, callUuid }: { messageUuid: string; callUuid: string }) {
  const { t, i18n } = useTranslation();
  const query = useQuery({
    queryKey: ['messages', messageUuid, 'model-requests'],
    queryFn: () =>
      api.get('/api/v1/messages/{message_uuid}/model-requests', { params: { path: { message_uuid: messageUuid } } }),
  });
  return (
    <Loaded query={query} rows={2}>
      {({ requests }) => {
        const request = requests.find(({ call_uuid }) => call_uuid === callUuid);
        if (request === undefined) {
          return <p className="mt-1 text-xs text-pretty text-muted-foreground">{t('explain.request.notKept')}</p>;
        }
        const { method, url, headers, body, body_size, truncated, expires_at } = request;
        const time = new Date(expires_at).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
        const copied = t('explain.request.copied');
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        return (
          <div className="mt-1 space-y-2">
            <RawText label={method} text={[url, '', ...lines].join('\n')} />
            {body !== null && <RawText label={t('explain.request.body')} text={shownBody(body)} />}
            <p className="text-xs text-pretty text-muted-foreground">
              {truncated && `${t('explain.request.truncated', { size: number(body_size, i18n.language) })} `}
              {t('explain.request.expires', { time })}
            </p>
            <div className="flex flex-wrap gap-1">
              <CopyButton text={() => asJson(request)} label={t('explain.request.copyJson')} copiedLabel={copied} />
              {/* A truncated body is no request. */}
              {!truncated && (
                <CopyButton text={() => asCurl(request)} label={t('explain.request.copyCurl')} copiedLabel={copied} />
              )}
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}
