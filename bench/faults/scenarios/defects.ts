import { withFolder } from '../../lib/service-process.ts';
import { defects } from '../defects.ts';
import { copySourceTree, replaceInTree } from '../lib/source-tree.ts';
import type { Scenario, ScenarioOutcome } from '../scenario.ts';
import { shortSizes } from '../sizes.ts';

/** @param scenarios those that find the defects, by their name */
export function defectsScenario(scenarios: Readonly<Record<string, Scenario>>): Scenario {
  return {
    summary:
      'Puts a defect into a copy of the sources, one after the other, and looks whether another scenario finds it.',
    engines: ['sqlite'],
    run: async ({ log, tree }) => {
      const outcome: ScenarioOutcome = { verdicts: {}, figures: {}, problems: [] };
      let found = 0;
      for (const { name, replacements, scenario, engine, sizes, isFound } of defects) {
        const begun = performance.now();
        const seen = await withFolder(async (folder) => {
          await copySourceTree(folder, tree);
          const missing = await replaceInTree(folder, replacements);
          if (missing !== null) return missing;
          const options = { engine, sizes: { ...shortSizes, ...sizes }, tree: folder, log };
          return await (scenarios[scenario] as Scenario).run(options);
        });
        if (typeof seen === 'string') {
          outcome.problems.push(`"${name}" cannot be put in: ${seen}`);
          continue;
        }
        const seconds = Math.round((performance.now() - begun) / 1000);
        const isSeen = isFound(seen);
        log(`"${name}" was ${isSeen ? '' : 'not '}found by ${scenario} in ${seconds} s: ${seen.problems.join('; ')}`);
        if (isSeen) found += 1;
        else outcome.problems.push(`"${name}" was not found by ${scenario}`);
      }
      outcome.figures = { defects: defects.length, found };
      return outcome;
    },
  };
}
