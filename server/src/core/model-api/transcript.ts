import { type ConversationContext, type MessageChain, textOfChain } from '@parley/sdk';
import { chainOfContent, fault, type PartNames } from './content-parts.ts';
import { isRecord } from './parameters.ts';

/** Most messages of a transcript. */
export const maximumMessages = 2000;

export interface Transcript {
  message_chain: MessageChain;
  context: ConversationContext;
}

/**
 * A conversation as a program sends it: the last message is the question, the others are the history, and system
 * messages are added to the prompt.
 * @param path path of the list in the body
 * @param instructions text added to the prompt before all others
 * @throws ParleyError `invalid_request` that names the unsupported element
 */
export async function readTranscript(
  messages: readonly unknown[],
  { path, names, instructions }: { path: string; names: PartNames; instructions: string[] },
): Promise<Transcript> {
  if (messages.length > maximumMessages) throw fault(path, `may have at most ${maximumMessages} messages`);
  const history: ConversationContext['history'] = [];
  const added = [...instructions];
  for (const [index, message] of messages.entries()) {
    const at = `${path}[${index}]`;
    if (!isRecord(message)) throw fault(at, 'must be an object');
    const { role, content } = message;
    switch (role) {
      case 'system':
      case 'developer':
        added.push(textOfChain(await chainOfContent(content, `${at}.content`, names, { takesFiles: false })));
        continue;
      case 'assistant': {
        refuseCalls(message, at);
        const chain = await chainOfContent(content ?? message.refusal, `${at}.content`, names, { takesFiles: false });
        if (chain.length > 0) history.push({ role, text: textOfChain(chain), message_chain: chain });
        continue;
      }
      case 'user': {
        const chain = await chainOfContent(content, `${at}.content`, names, { takesFiles: true });
        if (!saysSomething(chain)) throw fault(`${at}.content`, 'must say something');
        history.push({ role, text: textOfChain(chain), message_chain: chain });
        continue;
      }
      case 'tool':
      case 'function':
        throw fault(`${at}.role`, 'calls of tools are not supported here: the pipeline has its own');
      default:
        throw fault(`${at}.role`, 'must be system, developer, user or assistant');
    }
  }
  const last = messages.at(-1);
  const question = history.at(-1);
  if (question === undefined || !isRecord(last) || last.role === 'assistant' || question.role !== 'user') {
    throw fault(path, 'must end with a user message');
  }
  return {
    message_chain: question.message_chain,
    context: {
      history: history.slice(0, -1),
      instructions: added.filter((text) => text.trim() !== '').join('\n\n'),
    },
  };
}

function refuseCalls({ tool_calls: calls, function_call: call, audio }: Record<string, unknown>, at: string): void {
  const isCalling = (Array.isArray(calls) && calls.length > 0) || call != null;
  if (isCalling) throw fault(`${at}.tool_calls`, 'calls of tools are not supported here: the pipeline has its own');
  if (audio != null) throw fault(`${at}.audio`, 'is not supported here');
}

function saysSomething(chain: MessageChain): boolean {
  return chain.some((element) => element.type !== 'Plain' || element.text.trim() !== '');
}
