import { SaveBar } from '../../components/forms/save-bar.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { entryOf, requestOf } from './server-entry.ts';
import { ServerFields } from './server-fields.tsx';
import { type McpServer, readTaggedServer } from './server-queries.ts';
import { ServerRefusal } from './server-refusal.tsx';
import { ServerTest } from './server-test.tsx';

/** The connection of a server. A test uses the current input, saved or not. */
export function ServerConfiguration({ server }: { server: McpServer }) {
  const draft = useDraft({
    name: `mcp-server:${server.uuid}`,
    stored: server,
    contentOf: entryOf,
    read: () => readTaggedServer(server.uuid),
    save: (entry, headers) =>
      api.put('/api/v1/mcp/servers/{name}', {
        params: { path: { name: server.uuid } },
        headers,
        body: requestOf(entry),
      }),
    onSaved: useSaved(['mcp-servers']),
  });
  const isCommand = draft.value.mode === 'stdio' && draft.error !== null;
  return (
    <>
      <div className="max-w-2xl space-y-6">
        <ServerFields value={draft.value} onChange={draft.change} typed={draft.typed} faults={draft.faults} />
        {isCommand && <ServerRefusal error={draft.error} />}
        {/* The masks of a stored server are known by its stored name. */}
        <ServerTest entry={{ ...draft.value, name: server.name }} requireValues={draft.requireValues} />
      </div>
      <SaveBar draft={draft} />
    </>
  );
}
