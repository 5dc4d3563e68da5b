import type { TestProject } from 'vitest/node';
import { type OfferedResources, offerResources, type Resource } from './offer-resources.ts';
import type { SharedResource } from './shared-resource.ts';

/** Modules are loaded with what they make: most runs of a few files need neither. */
const makers: Record<SharedResource, () => Promise<Resource>> = {
  postgres: async () => (await import('./migrated-templates.ts')).startMigratedPostgres(),
  sqlite: async () => (await import('./migrated-templates.ts')).makeMigratedSqlite(),
  console: async () => (await import('./prepare-build.ts')).prepareBuild('web'),
  commandLine: async () => (await import('./prepare-build.ts')).prepareBuild('cli'),
  browser: async () => (await import('../browser/start-browser.ts')).startBrowser(),
};

export default async function globalSetup(project: TestProject): Promise<OfferedResources['close']> {
  const { url, close } = await offerResources(makers);
  project.provide('sharedResources', url);
  return close;
}
