import { loadConfig } from '../../src/config/index.ts';
import { createService } from '../../src/service.ts';
import { polledPlatform } from '../factories/polled-platform.ts';

/** The product with the platform at `TEST_PLATFORM`. */
const { TEST_PLATFORM = '', TEST_PLATFORM_DROPS_REPEATS } = process.env;
const config = loadConfig({ environment: process.env, workingDirectory: process.cwd() });
const platform = polledPlatform(TEST_PLATFORM, TEST_PLATFORM_DROPS_REPEATS === 'true');
const service = await createService(config, {
  platforms: [platform],
});
let isStopping = false;
process.on('SIGTERM', () => {
  void service.stop({ isUrgent: isStopping }).then(() => process.exit(0));
  isStopping = true;
});
console.log(`Parley is ready at ${await service.start()}`);
