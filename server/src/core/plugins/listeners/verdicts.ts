import {
  type MessageChain,
  ParleyError,
  type PluginEvents,
  type PluginPoint,
  type PluginVerdicts,
  parseMessageChain,
} from '@parley/sdk';
import Type, { type TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';

const closed = { additionalProperties: false } as const;
/** Checked by {@link parseMessageChain}. */
const Chain = Type.Unknown();
const text = Type.String({ maxLength: 1_000_000 });
const names = Type.Array(Type.String({ maxLength: 512 }), { maxItems: 1000 });

const Stop = Type.Object({ action: Type.Literal('stop') }, closed);
const Answer = Type.Object({ action: Type.Literal('answer'), message_chain: Chain }, closed);
const ChangedChain = Type.Object({ action: Type.Literal('change'), message_chain: Chain }, closed);
const ChangedCommand = Type.Object(
  {
    action: Type.Literal('change'),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    parameters: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 1000 })),
  },
  closed,
);
const ChangedPrompt = Type.Object(
  {
    action: Type.Literal('change'),
    prompt: Type.Optional(
      Type.Array(Type.Object({ role: Type.Enum(['system', 'user', 'assistant']), content: text }, closed), {
        maxItems: 1000,
      }),
    ),
    history: Type.Optional(
      Type.Array(
        Type.Object({ role: Type.Enum(['user', 'assistant']), text, message_chain: Type.Optional(Chain) }, closed),
        { maxItems: 10_000 },
      ),
    ),
    knowledge_bases: Type.Optional(names),
    tools: Type.Optional(names),
  },
  closed,
);

const schemas: Record<PluginPoint, readonly TSchema[]> = {
  received: [ChangedChain, Stop, Answer],
  command: [ChangedCommand, Stop, Answer],
  prompt: [ChangedPrompt],
  question: [ChangedChain, Answer],
  answer: [ChangedChain, Stop],
  sent: [],
};

/** A verdict of any point. */
export type PluginVerdict = PluginVerdicts[PluginPoint];

/** Longest verdict as JSON, UTF-16 units. */
const longestVerdict = 4_000_000;

/**
 * Checks what a listener returned.
 * @param event what it was given
 * @returns null to let the message pass
 * @throws ParleyError `plugin_response_invalid` with what is wrong
 */
export function checkVerdict<Point extends PluginPoint>(
  point: Point,
  value: unknown,
  event: PluginEvents[Point],
): PluginVerdicts[Point] | null {
  if (value === null || value === undefined || point === 'sent') return null;
  const action = (value as { action?: unknown }).action;
  const schema = schemas[point].find((each) => {
    const { properties } = each as unknown as { properties: { action: { const: string } } };
    return properties.action.const === action;
  });
  if (schema === undefined) throw invalid(`A listener of ${point} cannot return the action ${shown(action)}`);
  if (!Check(schema, value)) {
    const [fault] = Errors(schema, value);
    throw invalid(`The verdict of a listener of ${point}: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`);
  }
  if (JSON.stringify(value).length > longestVerdict) throw invalid(`The verdict of a listener of ${point} is too long`);
  // The schema of the point matches.
  const verdict = value as PluginVerdict;
  if ('message_chain' in verdict) checkChain(verdict.message_chain, filesOf(event));
  if (point === 'prompt') checkPrompt(value, event as PluginEvents['prompt']);
  return value as PluginVerdicts[Point];
}

/**
 * Checks a message of a plugin.
 * @param known paths of stored files that it may contain: those of the message that it was called for
 * @throws ParleyError `plugin_response_invalid`
 */
export function checkChain(value: unknown, known: ReadonlySet<string>): MessageChain {
  let chain: MessageChain;
  try {
    chain = parseMessageChain(value);
  } catch (error) {
    const [detail] = error instanceof ParleyError ? (error.details ?? []) : [];
    throw invalid(detail === undefined ? 'The message is invalid' : `${detail.path} ${detail.message}`);
  }
  const foreign = [...filesOf(chain)].find((path) => !known.has(path));
  if (foreign !== undefined) throw invalid('The message names a file of another message');
  return chain;
}

/** Tools and knowledge bases can be left out, not added. */
function checkPrompt(value: object, event: PluginEvents['prompt']): void {
  const { knowledge_bases, tools, history } = value as Partial<PluginEvents['prompt']>;
  const added =
    knowledge_bases?.find((uuid) => !event.knowledge_bases.includes(uuid)) ??
    tools?.find((name) => !event.tools.includes(name));
  if (added !== undefined) throw invalid(`A listener of prompt cannot add ${shown(added)}`);
  for (const turn of history ?? []) {
    if (turn.message_chain !== undefined && turn.message_chain.length > 0)
      checkChain(turn.message_chain, filesOf(event));
  }
}

/** The paths of stored files anywhere in a value. */
export function filesOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, field] of Object.entries(value)) {
    if ((name === 'path' || name === 'file_path') && typeof field === 'string' && field !== '') found.add(field);
    else filesOf(field, found);
  }
  return found;
}

function invalid(message: string): ParleyError {
  return new ParleyError('plugin_response_invalid', message);
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? 'undefined';
}
