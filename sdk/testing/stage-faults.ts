import { ParleyError, reasons } from '../src/errors.ts';
import { type MessageChain, parseMessageChain } from '../src/message-chain.ts';
import { textOfChain } from '../src/message-text.ts';
import type { AnswerFilter, StageOutcome } from '../src/stage.ts';

const outcomes: readonly string[] = ['pass', 'merge', 'stop', 'wait'];
/** Maximum length of the details of an outcome, characters: they are stored with each message. */
const longestDetails = 4096;

/**
 * Faults in the shape of an outcome.
 * @param waiting uuids of the messages that waited after it
 */
export function outcomeFaults(result: StageOutcome, waiting: readonly string[]): string[] {
  const { outcome } = result;
  if (!outcomes.includes(outcome)) return [`there is no outcome ${String(outcome)}`];
  const reason = 'reason' in result ? result.reason : undefined;
  const faults = [...reasonFaults(reason), ...detailFaults(result.details)];
  if ((outcome === 'stop' || outcome === 'wait') && reason === undefined) faults.push(`${outcome} without a reason`);
  if (result.outcome === 'pass' || result.outcome === 'merge') {
    if (result.message_chain !== undefined) faults.push(...chainFaults(result.message_chain));
  }
  if (result.outcome === 'stop' && result.notice?.trim() === '') faults.push('the notice is empty');
  if (result.outcome === 'merge') {
    if (result.merged.length === 0) faults.push('merge of nothing');
    if (result.merged.some((uuid, index) => uuid !== waiting[index])) {
      faults.push('merged messages are not those that follow');
    }
  }
  if (result.outcome === 'wait' && new Date(result.until).toJSON() !== result.until) {
    faults.push(`until is not an ISO 8601 UTC timestamp: ${result.until}`);
  }
  return faults;
}

/**
 * Faults in how a filter treats one answer.
 * @param parts successive states of the streamed answer
 * @param whole the complete answer
 */
export async function filterFaults(
  filter: AnswerFilter,
  parts: readonly MessageChain[],
  whole: MessageChain,
): Promise<string[]> {
  const faults: string[] = [];
  let shown = '';
  for (const part of filter.show === undefined ? [] : parts) {
    const chain = filter.show?.(part) ?? part;
    faults.push(...chainFaults(chain));
    const text = textOfChain(chain);
    if (!text.startsWith(shown)) faults.push(`shown text was retracted: ${shown} became ${text}`);
    shown = text;
  }
  const change = await filter.finish?.([whole]);
  if (change !== undefined) {
    faults.push(
      ...change.messages.flatMap(chainFaults),
      ...reasonFaults(change.reason),
      ...detailFaults(change.details),
    );
  }
  const wait = filter.delayMs ?? 0;
  if (!Number.isFinite(wait) || wait < 0) faults.push(`a wait of ${wait} ms`);
  return faults;
}

function reasonFaults(reason: string | undefined): string[] {
  return reason === undefined || Object.hasOwn(reasons, reason) ? [] : [`there is no reason ${reason}`];
}

/** Details are stored as JSON: anything that does not survive that is lost. */
function detailFaults(details: Record<string, unknown> | undefined): string[] {
  if (details === undefined) return [];
  const text = JSON.stringify(details);
  if (text.length > longestDetails) return [`details of ${text.length} characters`];
  const isSame = JSON.stringify(structuredClone(details)) === text && !Object.values(details).includes(undefined);
  return isSame ? [] : ['details are not JSON'];
}

/** A chain may be empty: nothing may be left of a message. */
function chainFaults(chain: MessageChain): string[] {
  if (Array.isArray(chain) && chain.length === 0) return [];
  try {
    parseMessageChain(chain);
    return [];
  } catch (error) {
    return error instanceof ParleyError ? [error.message] : [String(error)];
  }
}
