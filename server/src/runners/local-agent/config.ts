/** A message that stands before every conversation. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Settings of the agent. The pipeline limits the history before, and tools are limited where they are called. */
export interface LocalAgentConfig {
  /** Models to try, in order, each once. Empty when none is chosen. */
  models: string[];
  prompt: PromptMessage[];
  knowledgeBases: string[];
  /** What queries knowledge bases: the agent with the user's message, the model through a tool, or both. */
  knowledgeMode: 'automatic' | 'tool' | 'both';
  /** Whether an answer cites its sources: with a list, by numbers alone, or not. */
  citations: 'list' | 'markers' | 'off';
  /** How often tools may be called, several at once counted as one. */
  maximumToolSteps: number;
  /** Longest time for the whole answer, seconds. */
  maximumAnswerSeconds: number;
}

const roles = new Set(['system', 'user', 'assistant']);
const defaultToolSteps = 8;
const defaultAnswerSeconds = 300;
/** Maximum timeout, seconds; longer timers overflow. */
const longestAnswerSeconds = 86_400;

/**
 * Reads the group `local-agent` of a pipeline's configuration. Records are old and written by several programs, so
 * whatever has an unknown shape is passed over.
 * @param group `{model: {primary, fallbacks} or a model's uuid, prompt: [{role, content}], …}`
 */
export function parseLocalAgentConfig(group: Record<string, unknown>): LocalAgentConfig {
  return {
    models: parseModels(group.model),
    prompt: parsePrompt(group.prompt),
    knowledgeBases: asArray(group['knowledge-bases']).filter(
      (uuid) => typeof uuid === 'string' && uuid.trim() !== '',
    ) as string[],
    knowledgeMode: oneOf(['automatic', 'tool', 'both'], group['knowledge-mode']),
    citations: oneOf(['list', 'markers', 'off'], group.citations),
    maximumToolSteps: wholeNumber(group['max-tool-steps'], 0, 100) ?? defaultToolSteps,
    maximumAnswerSeconds: wholeNumber(group['max-answer-seconds'], 1, longestAnswerSeconds) ?? defaultAnswerSeconds,
  };
}

function parseModels(value: unknown): string[] {
  const candidates = isRecord(value) ? [value.primary, ...asArray(value.fallbacks)] : [value];
  const uuids = candidates.filter((uuid) => typeof uuid === 'string').map((uuid) => uuid.trim());
  return [...new Set(uuids.filter((uuid) => uuid !== ''))];
}

function parsePrompt(value: unknown): PromptMessage[] {
  if (typeof value === 'string') return parsePrompt([{ role: 'system', content: value }]);
  return asArray(value).flatMap((message) => {
    if (!isRecord(message) || !roles.has(String(message.role))) return [];
    const content = textOf(message.content);
    return content.trim() === '' ? [] : [{ role: message.role as PromptMessage['role'], content }];
  });
}

/** Content is a text or, as OpenAI has it, a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

/** The first one where none of them is named. */
function oneOf<const Value extends string>(values: readonly [Value, ...Value[]], value: unknown): Value {
  return values.find((candidate) => candidate === value) ?? values[0];
}

/** Null where there is no number; one that is too large or too small becomes the nearest that is right. */
function wholeNumber(value: unknown, least: number, most: number): number | null {
  if (typeof value !== 'number' || Number.isNaN(value)) return null;
  return Math.trunc(Math.min(most, Math.max(least, value)));
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
