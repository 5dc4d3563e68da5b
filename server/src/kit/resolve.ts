import type { LookupAddress } from 'node:dns';

/** Resolves a host name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** By the operating system's resolver. */
export async function resolveWithSystem(hostname: string): Promise<LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(hostname, { all: true });
}
