import { Clone, Default } from 'typebox/value';
import { describe, expect, it, test } from 'vitest';
import { platformCases } from './cases/index.ts';
import type { PlatformCase } from './platform-case.ts';
import type { PlatformFacts } from './platform-facts.ts';
import { isNotOfThisPlatform, runPlatformCase } from './run-case.ts';
import type { StageOptions } from './stage.ts';

export interface FakeTestsOptions extends StageOptions {
  /** Names the run where a platform has several. */
  mode?: string | undefined;
  /** Cases, or whole families, that the platform has no counterpart for, with the reason. */
  impossible?: Readonly<Record<string, string>> | undefined;
}

/** Registers every case that a platform must pass on its fake. */
export function fakeTests(options: FakeTestsOptions): void {
  const { platform, mode, impossible = {} } = options;
  const families = Map.groupBy(platformCases, ({ family }) => family);

  describe(`platform ${platform.name} on its fake${mode === undefined ? '' : `, ${mode}`}`, async () => {
    const facts = await factsOf(options);

    it('declares as impossible what there is, with reasons', () => {
      const names = new Set<string>(platformCases.flatMap(({ name, family }) => [name, family]));
      for (const [name, reason] of Object.entries(impossible)) {
        expect(names.has(name), `a case or a family is called ${name}`).toBe(true);
        expect(reason.trim(), `the reason of ${name}`).not.toBe('');
      }
    });

    for (const [family, cases] of families) {
      const needed = cases.filter((one) => one.needs?.(facts) !== false);
      // A family without a test would count as a failure.
      if (needed.length === 0) continue;
      // Cases mostly wait, each for a fake and an adapter of its own.
      describe.concurrent(family, () => {
        for (const one of needed) {
          const reason = impossible[one.name] ?? impossible[family];
          if (reason !== undefined) test(one.name, ({ skip }) => skip(reason));
          else test(one.name, () => passes(one, options));
        }
      });
    }
  });
}

async function factsOf({ platform, config }: StageOptions): Promise<PlatformFacts> {
  const given = Default(platform.config, Clone((await config?.()) ?? {})) as Record<string, unknown>;
  const capabilities = platform.capabilitiesOf?.(given) ?? platform.capabilities;
  const receives = platform.receives?.(given) ?? 'connection';
  return { platform, implementation: await platform.load(), capabilities, receives };
}

async function passes(one: PlatformCase, options: StageOptions): Promise<void> {
  try {
    await runPlatformCase(one, options);
  } catch (error) {
    if (!isNotOfThisPlatform(error)) throw error;
    throw new Error(`${(error as Error).message}; declare the case as impossible, with a reason`, { cause: error });
  }
}
