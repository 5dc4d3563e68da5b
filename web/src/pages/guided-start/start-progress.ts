export const startSteps = ['messenger', 'connect', 'model', 'hello'] as const;
export type StartStep = (typeof startSteps)[number];

/** Progress of the guided start. Publicly readable, so it contains no secrets. */
export interface StartProgress {
  step: StartStep;
  /** The selected platform. */
  adapter?: string;
  bot_uuid?: string;
  provider_uuid?: string;
}

/** Text keys of {@link StartProgress}. */
const texts = ['adapter', 'bot_uuid', 'provider_uuid'] as const;

/** Parses the stored progress. Other programs may have stored something else, which is ignored. */
export function progressOf(stored: Record<string, unknown> | null): StartProgress {
  const step = startSteps.find((one) => one === stored?.step) ?? 'messenger';
  const known = texts.flatMap((key) => {
    const value = stored?.[key];
    return typeof value === 'string' && value !== '' ? [[key, value]] : [];
  });
  const progress: StartProgress = { step, ...Object.fromEntries(known) };
  // Connecting requires a selected platform.
  return step === 'connect' && progress.adapter === undefined ? { ...progress, step: 'messenger' } : progress;
}
