import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

interface PipelineSearch {
  /** A part of the configuration by its name, `general`, `extensions` or `chat`. */
  tab?: string;
  /** The setting that is brought into view: `config.ai.runner.runner`. */
  field?: string;
  /** Of the chat: whose conversation it is. */
  session?: 'group';
  /** Of the chat: the message that is explained. */
  message?: string;
}

const text = <Name extends string>(name: Name, value: unknown) =>
  (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { [Key in Name]?: string };

export const pipelineRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/pipelines',
    component: lazyRouteComponent(() => import('./pipelines-page.tsx'), 'PipelinesPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/pipelines/$uuid',
    validateSearch: ({ tab, field, session, message }: Record<string, unknown>): PipelineSearch => ({
      ...text('tab', tab),
      ...text('field', field),
      ...(session === 'group' ? { session } : {}),
      ...text('message', message),
    }),
    component: lazyRouteComponent(() => import('./pipeline-page.tsx'), 'PipelinePage'),
  }),
] as const;
