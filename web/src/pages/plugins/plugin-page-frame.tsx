import type { PluginPageLook } from '@parley/sdk/page';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loading } from '../../components/states/loading.tsx';
import { api } from '../../lib/api.ts';
import { classNames } from '../../lib/class-names.ts';
import { session } from '../../lib/session.ts';
import { useIsDark } from '../../lib/theme.ts';
import { PagePort } from './plugin-page-port.ts';
import type { PagePath } from './plugin-page-queries.ts';

/** Why a page was disconnected: it went elsewhere, it broke a rule, the sign-in ended. */
export type PageEnd = 'left' | 'broken' | 'signedOut';

interface PluginPageFrameProps {
  path: PagePath;
  /** Of the page's document. */
  address: string;
  title: string;
  onEnd: (end: PageEnd) => void;
}

/**
 * The document of a page, which has an origin of its own and reaches nothing but this component, by a port. Its calls run
 * as the signed-in user, and end with the sign-in.
 */
export function PluginPageFrame({ path, address, title, onEnd }: PluginPageFrameProps) {
  const { t, i18n } = useTranslation();
  const isDark = useIsDark();
  const look: PluginPageLook = { theme: isDark ? 'dark' : 'light', language: i18n.language };
  const port = useRef<PagePort | null>(null);
  const end = useRef<HTMLParagraphElement>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  const [begun] = useState(session.current);
  const endId = useId();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields of the look
  useEffect(() => port.current?.setLook(look), [look.theme, look.language]);
  useEffect(() => () => port.current?.close(), []);
  useEffect(() =>
    session.subscribe(() => {
      if (session.current() !== begun || session.isInterrupted()) stop('signedOut');
    }),
  );

  function stop(reason: PageEnd) {
    port.current?.close();
    port.current = null;
    onEnd(reason);
  }

  function connect(page: Window | null) {
    setIsLoaded(true);
    if (page === null) return;
    // The document that got the port is gone.
    if (port.current !== null) return stop('left');
    port.current = new PagePort(page, look, {
      request: async (body, signal) => {
        const options = { params: { path }, body, signal };
        return (await api.post('/api/v1/plugins/{author}/{name}/pages/{page}/requests', options)).result;
      },
      onBroken: () => stop('broken'),
    });
  }

  return (
    <>
      <button
        type="button"
        className="sr-only rounded-lg border border-input bg-card px-3 py-2 focus:not-sr-only focus:mb-2"
        onClick={() => end.current?.focus()}
      >
        {t('pluginPages.skip')}
      </button>
      {!isLoaded && <Loading rows={3} />}
      <iframe
        src={address}
        title={title}
        // Nothing else is allowed; the headers of the document say the same.
        sandbox="allow-scripts"
        allow=""
        referrerPolicy="no-referrer"
        aria-describedby={endId}
        className={classNames(
          'h-[max(24rem,calc(100dvh-15rem))] w-full rounded-xl border border-border',
          !isLoaded && 'sr-only',
        )}
        onLoad={({ currentTarget }) => connect(currentTarget.contentWindow)}
      />
      <p id={endId} ref={end} tabIndex={-1} className="mt-2 text-sm text-muted-foreground">
        {t('pluginPages.origin')}
      </p>
    </>
  );
}
