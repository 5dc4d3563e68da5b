/** Variables that the built-in agent fills in a prompt: `{{user}}`. */
export const promptVariables = ['user', 'group', 'platform', 'date', 'time', 'knowledge'] as const;
export type PromptVariable = (typeof promptVariables)[number];

const variable = /\{\{\s*(user|group|platform|date|time|knowledge)\s*\}\}/g;
/** An unfinished variable at the end of a text. */
const begun = /\{\{\s*([a-z]*)$/;

/** The prompt as a model may receive it. */
export function previewOf(text: string, values: Record<PromptVariable, string>): string {
  return text.replaceAll(variable, (_, name: PromptVariable) => values[name]);
}

/** Variables that complete what is written before the caret; empty if no variable was begun there. */
export function completionsAt(text: string, caret: number): PromptVariable[] {
  const [, start] = begun.exec(text.slice(0, caret)) ?? [];
  return start === undefined ? [] : promptVariables.filter((name) => name.startsWith(start));
}

/** The text with a variable at the caret, in place of what was begun there, and the caret behind it. */
export function insertVariable(text: string, caret: number, name: PromptVariable): { text: string; caret: number } {
  const before = text.slice(0, caret).replace(begun, '');
  const after = text.slice(caret).replace(/^\s*\}\}/, '');
  const inserted = `${before}{{${name}}}`;
  return { text: inserted + after, caret: inserted.length };
}
