export const startSteps = ['messenger', 'connect', 'model', 'hello'] as const;
export type StartStep = (typeof startSteps)[number];

/** Where somebody is. Anybody may read it, so that it holds no secrets. */
export interface StartProgress {
  step: StartStep;
  /** The messenger that was chosen. */
  adapter?: string;
  bot_uuid?: string;
  provider_uuid?: string;
}

/** Keys of {@link StartProgress} that are texts. */
const texts = ['adapter', 'bot_uuid', 'provider_uuid'] as const;

/** Reads what the server keeps. Other programs may have put something else there, of which nothing is taken. */
export function progressOf(kept: Record<string, unknown> | null): StartProgress {
  const step = startSteps.find((one) => one === kept?.step) ?? 'messenger';
  const known = texts.flatMap((key) => {
    const value = kept?.[key];
    return typeof value === 'string' && value !== '' ? [[key, value]] : [];
  });
  const progress: StartProgress = { step, ...Object.fromEntries(known) };
  // There is nothing to connect before a messenger was chosen.
  return step === 'connect' && progress.adapter === undefined ? { ...progress, step: 'messenger' } : progress;
}
