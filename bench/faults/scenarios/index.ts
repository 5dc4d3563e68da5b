import type { Scenario } from '../scenario.ts';
import { defectsScenario } from './defects.ts';
import { disk } from './disk.ts';
import { flood } from './flood.ts';
import { kills } from './kills.ts';
import { limits } from './limits.ts';
import { outages } from './outages.ts';
import { parts } from './parts.ts';
import { postgres } from './postgres.ts';
import { stops } from './stops.ts';

const onSources: Record<string, Scenario> = { kills, stops, limits, outages, postgres, disk, parts, flood };

/** Every scenario by its name, in the order in which they run. */
export const scenarios: Readonly<Record<string, Scenario>> = { ...onSources, defects: defectsScenario(onSources) };
