import type { RunnerRequest } from '@parley/sdk';

/** The documented variables of a message for a service. Names that start with `_` are internal. */
export function requestVariables(request: Pick<RunnerRequest, 'variables' | 'instructions'>): Record<string, string> {
  const shared = Object.entries(request.variables).filter(([name]) => !name.startsWith('_'));
  return { ...Object.fromEntries(shared), ...addedInstructions(request) };
}

/** The request's additional instructions, as a variable; empty if there are none. */
export function addedInstructions({ instructions = '' }: Pick<RunnerRequest, 'instructions'>): Record<string, string> {
  return instructions === '' ? {} : { instructions };
}

/** The question for a service that takes neither a prompt nor variables, preceded by additional instructions. */
export function instructedText({ instructions = '' }: Pick<RunnerRequest, 'instructions'>, text: string): string {
  return [instructions, text].filter((part) => part !== '').join('\n\n');
}
