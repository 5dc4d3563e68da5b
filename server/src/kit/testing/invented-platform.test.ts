import { casesOfConnections, platformContract } from '@parley/sdk/testing';
import { startFakeInvented } from '../../../../sdk/testing/platforms/invented/fake/index.ts';
import { createInventedPlatform } from '../../../../sdk/testing/platforms/invented/index.ts';
import { inventedTiming } from './invented-timing.ts';
import { platformHost } from './platform-host.ts';

const impossible = {
  webhook: {
    ...casesOfConnections('The platform calls the bot'),
    'address that the platform gives is checked': 'It gives none for webhooks',
  },
  websocket: {
    'compressed bomb': 'Frames are not compressed',
    'redelivered over another connection': 'A bot has one connection',
  },
};

for (const mode of ['webhook', 'websocket'] as const) {
  platformContract({
    platform: createInventedPlatform({ timing: inventedTiming }),
    config: () => ({ transport: mode }),
    fake: () => startFakeInvented(mode),
    host: platformHost,
    mode,
    impossible: impossible[mode],
  });
}
