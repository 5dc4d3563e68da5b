import type { RunnerRequest } from '@parley/sdk';

/** What a service may use of a message, by the names that are documented. Names that begin with `_` stay here. */
export function requestVariables(request: Pick<RunnerRequest, 'variables' | 'instructions'>): Record<string, string> {
  const shared = Object.entries(request.variables).filter(([name]) => !name.startsWith('_'));
  return { ...Object.fromEntries(shared), ...addedInstructions(request) };
}

/** What whoever asks adds to the prompt, as a variable; nothing where nothing is added. */
export function addedInstructions({ instructions = '' }: Pick<RunnerRequest, 'instructions'>): Record<string, string> {
  return instructions === '' ? {} : { instructions };
}

/** The question for a service that takes neither a prompt nor variables: what is added to the prompt stands before it. */
export function instructedText({ instructions = '' }: Pick<RunnerRequest, 'instructions'>, text: string): string {
  return [instructions, text].filter((part) => part !== '').join('\n\n');
}
