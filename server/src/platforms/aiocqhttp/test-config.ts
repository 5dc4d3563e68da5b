import type { PlatformTest, PlatformTestContext } from '@parley/sdk';
import { listeningFault } from './access.ts';
import type { OneBotSettings } from './config.ts';
import { testForward } from './forward-connection.ts';

/**
 * Connects to the client in forward mode. In reverse mode it would have to connect to us, so only the settings are checked:
 * the account is unknown, and its id empty.
 * @throws ParleyError as `start` of an adapter
 */
export async function testConfig(
  settings: OneBotSettings,
  { openSocket, signal }: PlatformTestContext,
  timeoutMs: number,
): Promise<PlatformTest> {
  const fault = listeningFault(settings);
  if (settings.connection === 'reverse') return { id: '', name: null, findings: fault === null ? [] : [fault] };
  return testForward(settings, { openSocket, signal, timeoutMs });
}
