import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the resources that all tests share are offered. */
    sharedResources: string;
  }
}

/** The resources of `global-setup.ts`, each with what its address is. */
export type SharedResource =
  /** URL of the maintenance database of a PostgreSQL server that also has the template of `migratedDatabase`. */
  | 'postgres'
  /** Path of a SQLite database whose tables are up to date and empty; it is copied. */
  | 'sqlite'
  /** The console and the command line, built; the address is the folder of the checkout. */
  | 'console'
  | 'commandLine'
  /** URL of a browser without a window, for Playwright. */
  | 'browser';

/**
 * The address of something that all tests of a run use. Whoever asks first waits until it is made.
 * @throws Error with the reason when it could not be made
 */
export async function sharedResource(name: SharedResource): Promise<string> {
  const response = await fetch(`${inject('sharedResources')}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`The shared resource ${name} could not be made: ${text}`);
  return text;
}
