import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ListSearch, listSearch } from '../../components/lists/list-search.ts';
import { consoleRoute } from '../../console-route.ts';

interface PipelineSearch {
  /** A tab of the configuration, `general`, `extensions`, `versions` or `chat`. */
  tab?: string;
  /** The setting to scroll to: `config.ai.runner.runner`. */
  field?: string;
  /** For the chat: the session type. */
  session?: 'group';
  /** For the chat of an admin: what answers; the draft by default. */
  answers?: 'published';
  /** For the chat: the message with an open trace. */
  message?: string;
}

export const pipelineOrders = ['name', 'created_at', 'updated_at'] as const;

export interface PipelinesSearch extends ListSearch {
  /** Whether bots use it. */
  used?: boolean;
}

const text = <Name extends string>(name: Name, value: unknown) =>
  (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { [Key in Name]?: string };

export const pipelineRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/pipelines',
    staticData: { guide: 'pipeline-editor' },
    validateSearch: ({ used, ...given }: Record<string, unknown>): PipelinesSearch => ({
      ...listSearch(given, pipelineOrders),
      ...(typeof used === 'boolean' && { used }),
    }),
    component: lazyRouteComponent(() => import('./pipelines-page.tsx'), 'PipelinesPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/pipelines/$uuid',
    staticData: { guide: 'pipeline-editor' },
    validateSearch: ({ tab, field, session, answers, message }: Record<string, unknown>): PipelineSearch => ({
      ...text('tab', tab),
      ...text('field', field),
      ...(session === 'group' ? { session } : {}),
      ...(answers === 'published' ? { answers } : {}),
      ...text('message', message),
    }),
    component: lazyRouteComponent(() => import('./pipeline-page.tsx'), 'PipelinePage'),
  }),
] as const;
