import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { consoleRoute } from '../../console-route.ts';

export const guideRoutes = [
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/guides',
    component: lazyRouteComponent(() => import('./guides-page.tsx'), 'GuidesPage'),
  }),
  createRoute({
    getParentRoute: () => consoleRoute,
    path: '/guides/$name',
    /** Before the page is shown, so that it can be scrolled to a heading. */
    async loader({ params: { name } }) {
      const [{ guides }, { guideText }] = await Promise.all([
        import('../../components/guides/guide-list.ts'),
        import('../../components/guides/guide-texts.ts'),
      ]);
      const guide = guides.find((one) => one.name === name);
      if (guide === undefined) throw notFound();
      return { guide, text: await guideText(guide) };
    },
    component: lazyRouteComponent(() => import('./guide-page.tsx'), 'GuidePage'),
  }),
] as const;
