import { startChildProgram } from '../lib/child-program.ts';
import { machineTime } from '../lib/machine-time.ts';
import type { AnswerTimes, EchoModelFunctions, EchoModelPace } from './echo-model-program.ts';

/**
 * An OpenAI-compatible server whose answers contain the id of the question, so that the two can be matched. It is a
 * process of its own: its processor time is not that of the process that measures, and neither holds the other up.
 */
export interface EchoModel {
  pid: number;
  /** The address a provider record would hold, `http://127.0.0.1:<port>/v1`. */
  baseUrl: string;
  /** Times of the questions whose ids begin with this, by id, as `performance.now()` of this process counts. */
  times(idPrefix: string): Promise<ReadonlyMap<string, AnswerTimes>>;
  /** How many requests there were. */
  requests(): Promise<number>;
  close(): Promise<void>;
}

/** @param pace without one, the model answers at once, all chunks together */
export async function startEchoModel(pace?: EchoModelPace): Promise<EchoModel> {
  const program = await startChildProgram<EchoModelFunctions>(new URL('./echo-model-program.ts', import.meta.url));
  const { pid, call, close } = program;
  try {
    if (pace !== undefined) await call.setPace(pace);
    return {
      pid,
      baseUrl: await call.address(),
      times: async (idPrefix) =>
        new Map((await call.times(idPrefix)).map(([id, times]) => [id, inTimeOfThisProcess(times)])),
      requests: () => call.requests(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function inTimeOfThisProcess({ askedAt, writtenAt }: AnswerTimes): AnswerTimes {
  const origin = machineTime() - performance.now();
  const here = (time: number) => time - origin;
  return { askedAt: here(askedAt), writtenAt: writtenAt === null ? null : here(writtenAt) };
}
