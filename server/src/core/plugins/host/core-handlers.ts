import { type MessageChain, type MessageElement, ParleyError } from '@parley/sdk';
import { storableText } from '../../../lib/storable-text.ts';
import { checkChain, filesOf } from '../listeners/verdicts.ts';
import type { HostHandlers, HostRequest, HostServices, PluginMessageScope } from './plugin-host-api.ts';

/** The requests that {@link coreHandlers} answers. */
export type CoreMethods =
  | 'settings'
  | 'storage_get'
  | 'storage_set'
  | 'storage_delete'
  | 'storage_keys'
  | 'storage_add'
  | 'reply'
  | 'send'
  | 'conversation_read'
  | 'conversation_reset';

/** Longest value of the storage as JSON, bytes. */
const longestValue = 1 << 20;
/** Most keys of one answer. */
const maximumKeys = 1000;

/** The handlers that need nothing but the core. */
export function coreHandlers(services: HostServices): Pick<HostHandlers, CoreMethods> {
  const { values, effects } = services;
  return {
    settings: async (_, { plugin }) => ({ result: await services.settings(plugin.id) }),
    storage_get: async ({ key }, { plugin }) => {
      const value = await values.get(plugin.id, storableKey(key));
      return { result: value === null ? {} : { value: JSON.parse(value) as unknown } };
    },
    storage_set: async ({ key, value }, { plugin }) => {
      const text = JSON.stringify(value ?? null);
      if (Buffer.byteLength(text) > longestValue) throw new ParleyError('too_large', 'A value may have 1 MB');
      await values.set(plugin.id, storableKey(key), text);
      return { result: null };
    },
    storage_delete: async ({ key }, { plugin }) => {
      await values.delete(plugin.id, storableKey(key));
      return { result: null };
    },
    storage_keys: async ({ prefix, after }, { plugin }) => ({
      result: await values.keys(plugin.id, { prefix, after, limit: maximumKeys }),
    }),
    storage_add: async ({ key, amount }, { plugin, nextKey }) => ({
      result: await effects.add(nextKey('add'), { plugin_id: plugin.id, key: storableKey(key), amount }),
    }),
    reply: async ({ message_chain }, request) => {
      await reply(message_chain, request);
      return { result: null };
    },
    send: async ({ target, message_chain }, request) => {
      await send(target, message_chain, request, services);
      return { result: null };
    },
    conversation_read: async ({ rounds }, { scope }) => ({
      result: await withMessage(scope).history(rounds),
    }),
    conversation_reset: async (_, { scope }) => {
      await withMessage(scope).resetConversation();
      return { result: null };
    },
  };
}

async function reply(chain: MessageChain, { scope: given, nextKey }: HostRequest): Promise<void> {
  const scope = withMessage(given);
  if (scope.source.point === 'sent') throw new ParleyError('conflict', 'The message has been answered already');
  const checked = checkChain(chain, filesOf(scope.message.message_chain));
  await scope.reply(checked, nextKey('reply')?.ordinal ?? 0);
}

async function send(
  { bot_uuid, session_type, target_id }: { bot_uuid: string; session_type: 'person' | 'group'; target_id: string },
  chain: MessageChain,
  { plugin, scope, nextKey }: HostRequest,
  { effects, send: sendMessage }: HostServices,
): Promise<void> {
  const granted = plugin.grants.send.find((grant) => grant.bot_uuid === bot_uuid);
  if (granted === undefined || (granted.targets !== null && !granted.targets.includes(target_id))) {
    throw new ParleyError('plugin_permission_denied', 'The plugin may not send messages to this target by this bot');
  }
  const checked = checkChain(chain, filesOf(scope?.message.message_chain));
  const key = nextKey('send');
  const earlier = key === null ? null : await effects.beginSend(key);
  if (earlier?.state === 'sent') return;
  if (earlier?.state === 'sending') throw new ParleyError('uncertain', 'The message may have been sent before');
  try {
    await sendMessage(bot_uuid, session_type, target_id, checked);
    if (key !== null) await effects.endSend(key, { state: 'sent' });
  } catch (error) {
    const { reason, message } =
      error instanceof ParleyError ? error : new ParleyError('internal', 'An unexpected fault');
    if (key !== null) await effects.endSend(key, { state: 'failed', reason, message });
    throw error;
  }
}

function withMessage(scope: PluginMessageScope | null): PluginMessageScope {
  if (scope === null) throw noMessage();
  return scope;
}

function noMessage(): ParleyError {
  return new ParleyError('conflict', 'The plugin is not called for a message');
}

/** The element of the message that a plugin names; it may read no other files. @throws ParleyError `not_found` */
export function elementOfMessage(scope: PluginMessageScope | null, element: MessageElement): MessageElement {
  const asked = JSON.stringify(element);
  const found = elementsOf(withMessage(scope).message.message_chain).find((each) => JSON.stringify(each) === asked);
  if (found === undefined) throw new ParleyError('not_found', 'The message has no such element');
  return found;
}

/** Also those in quotes. */
function elementsOf(chain: readonly MessageElement[]): MessageElement[] {
  return chain.flatMap((element) =>
    // Checked when the message was stored.
    element.type === 'Quote' ? [element, ...elementsOf(element.origin as MessageElement[])] : [element],
  );
}

function storableKey(key: string): string {
  if (storableText(key) !== key) throw new ParleyError('invalid_request', 'A key has characters that cannot be stored');
  return key;
}
