import { NotOfThisPlatform } from './fake-platform.ts';
import type { PlatformCase } from './platform-case.ts';
import { Stage, type StageOptions } from './stage.ts';

/** Runs one case on a stage of its own. @throws what the case or the end of the stage found */
export async function runPlatformCase(one: PlatformCase, options: StageOptions): Promise<void> {
  const stage = await Stage.open(options);
  let failure: { error: unknown } | null = null;
  try {
    await one.run(stage);
  } catch (error) {
    failure = { error };
  }
  try {
    await stage.close();
  } catch (error) {
    // What the case found comes first, and a platform without a counterpart may leave the case in the middle.
    failure ??= { error };
  }
  if (failure !== null) throw failure.error;
}

/** Whether a case ended because the platform has no counterpart for it. */
export function isNotOfThisPlatform(error: unknown): boolean {
  return error instanceof NotOfThisPlatform;
}
