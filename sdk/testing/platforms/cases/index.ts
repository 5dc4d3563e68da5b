import type { PlatformCase } from '../platform-case.ts';
import { connectionCases } from './connections.ts';
import { credentialCases } from './credentials.ts';
import { logInCases } from './log-in.ts';
import { networkCases } from './network.ts';
import { onceOnlyCases } from './once-only.ts';
import { receivingCases } from './receiving.ts';
import { requestCases } from './requests.ts';
import { sendingCases } from './sending.ts';
import { streamCases } from './streams.ts';
import { timeWindowCases } from './time-windows.ts';
import { verificationCases } from './verification.ts';

/** Every case, by family. */
export const platformCases: readonly PlatformCase[] = [
  ...receivingCases,
  ...onceOnlyCases,
  ...verificationCases,
  ...requestCases,
  ...connectionCases,
  ...credentialCases,
  ...sendingCases,
  ...streamCases,
  ...timeWindowCases,
  ...networkCases,
  ...logInCases,
];

/** @throws Error when there is no such case */
export function platformCase(name: string): PlatformCase {
  const found = platformCases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case “${name}”`);
  return found;
}

/** The cases that are impossible for a platform which only calls the bot, with the reason. */
export function casesOfConnections(reason: string): Record<string, string> {
  return Object.fromEntries(platformCases.flatMap((one) => (one.needsConnection ? [[one.name, reason]] : [])));
}
