import type { ReplicaScenario } from '../scenario.ts';
import { cost } from './cost.ts';
import { database, pooler } from './database.ts';
import { defectsScenario } from './defects.ts';
import { deployment } from './deployment.ts';
import { kills } from './kills.ts';
import { pauses } from './pauses.ts';
import { socketsScenario } from './sockets.ts';
import { takeover } from './takeover.ts';
import { upgrade } from './upgrade.ts';

/** Every scenario by its name, in the order in which they run. */
export const scenarios: Readonly<Record<string, ReplicaScenario>> = {
  kills,
  pauses,
  database,
  pooler,
  takeover,
  deployment,
  cost,
  sockets: socketsScenario,
  upgrade,
  defects: defectsScenario,
};
