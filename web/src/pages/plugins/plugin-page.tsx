import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { NotFound } from '../../components/states/not-found.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { localized } from '../../lib/i18n.ts';
import { type PageEnd, PluginPageFrame } from './plugin-page-frame.tsx';
import { frameQuery, type PagePath, pagePluginQuery } from './plugin-page-queries.ts';

const route = getRouteApi('/console/plugins/$author/$name/pages/$page');

/** A page that a plugin brings. */
export function PluginPage() {
  const { t } = useTranslation();
  const path = route.useParams();
  const { author, name, page } = path;
  const query = useQuery(pagePluginQuery(path));
  const details = query.data?.details;
  const plugin = details && localized(details.label);
  const shown = details?.pages.find((one) => one.name === page);
  const title = shown === undefined ? t('pluginPages.page') : localized(shown.label);
  const back = (
    <BackLink to="/plugins/$author/$name" params={{ author, name }}>
      {t('pluginPages.toPlugin', { plugin: plugin ?? name })}
    </BackLink>
  );
  return (
    <Page title={title} back={back} width="wide">
      <Loaded query={query} rows={3}>
        {({ details: { state }, isPaused }) => {
          if (shown === undefined) return <NotFound />;
          if (state !== 'enabled') return <Alert variant="notice">{t(`pluginPages.states.${state}`)}</Alert>;
          return (
            <>
              {isPaused && (
                <Alert variant="notice" className="mb-4">
                  {t('pluginPages.paused')}
                </Alert>
              )}
              <OpenPage key={`${author}/${name}/${page}`} path={path} title={`${plugin}: ${title}`} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function OpenPage({ path, title }: { path: PagePath; title: string }) {
  const { t } = useTranslation();
  const [{ load, end }, setLoad] = useState<{ load: number; end: PageEnd | null }>({ load: 0, end: null });
  const frame = useQuery(frameQuery(path, load));
  if (end !== null) {
    return (
      <Alert variant={end === 'broken' ? 'error' : 'notice'}>
        <p>{t(`pluginPages.ends.${end}`)}</p>
        <Button
          variant="outline"
          size="small"
          className="mt-2 text-foreground"
          onClick={() => setLoad({ load: load + 1, end: null })}
        >
          <RotateCcw aria-hidden />
          {t('pluginPages.reload')}
        </Button>
      </Alert>
    );
  }
  return (
    <Loaded query={frame} rows={3}>
      {(address) => (
        <PluginPageFrame
          key={address}
          path={path}
          address={address}
          title={title}
          onEnd={(reason) => setLoad({ load, end: reason })}
        />
      )}
    </Loaded>
  );
}
