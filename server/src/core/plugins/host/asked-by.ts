import type { PluginMessageScope } from './plugin-host-api.ts';

/** Who asked, as calls of models and searches are recorded; empty for a call of a plugin that is for no message. */
export function askedBy(scope: PluginMessageScope | null): {
  asked_by?: { session_id: string; message_uuid: string };
} {
  if (scope === null) return {};
  const { uuid, session_type, session_id } = scope.message;
  return { asked_by: { session_id: `${session_type}_${session_id}`, message_uuid: uuid } };
}
