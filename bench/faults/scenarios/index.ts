import type { Scenario } from '../scenario.ts';
import { kills } from './kills.ts';

/** Every scenario by its name, in the order in which they run. */
export const scenarios: Record<string, Scenario> = { kills };
