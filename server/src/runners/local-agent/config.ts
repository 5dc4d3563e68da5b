/** A message that stands before every conversation. */
export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What the agent reads of its group; the length of the history is cut before it is asked. */
export interface LocalAgentConfig {
  /** Models to try, in order, each once. Empty when none is chosen. */
  models: string[];
  prompt: PromptMessage[];
}

const roles = new Set(['system', 'user', 'assistant']);

/**
 * Reads the group `local-agent` of a pipeline's configuration. Records are old and written by several programs, so
 * whatever has an unknown shape is passed over.
 * @param group `{model: {primary, fallbacks} or a model's uuid, prompt: [{role, content}], …}`
 */
export function parseLocalAgentConfig(group: Record<string, unknown>): LocalAgentConfig {
  return { models: parseModels(group.model), prompt: parsePrompt(group.prompt) };
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

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
