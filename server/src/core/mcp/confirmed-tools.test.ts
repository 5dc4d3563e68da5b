import { describe, expect, it } from 'vitest';
import { confirmTools, fingerprintOf, readOnlyState } from './confirmed-tools.ts';
import type { McpTool } from './mcp-server.ts';

const original = { name: 'find', description: 'Finds.', parameters: { type: 'object' }, read_only_hint: true };
const toolOf = (over: Partial<typeof original> = {}): McpTool => {
  const other = { ...original, ...over };
  return { ...other, fingerprint: fingerprintOf(other) };
};
const tool = toolOf();
const confirmed = { find: tool.fingerprint };

describe('a tool', () => {
  it.each<[string, Partial<typeof original>]>([
    ['name', { name: 'find2' }],
    ['description', { description: 'Finds. ' }],
    ['schema', { parameters: { type: 'object', properties: {} } as never }],
    ['hint', { read_only_hint: false }],
  ])('has another fingerprint with another %s', (_, over) => {
    expect(toolOf(over).fingerprint).not.toBe(tool.fingerprint);
  });

  it('is read-only while it equals the confirmed one', () => {
    expect(toolOf()).toEqual(tool);
    expect(readOnlyState(tool, {})).toBe('unconfirmed');
    expect(readOnlyState(tool, confirmed)).toBe('confirmed');
    expect(readOnlyState(toolOf({ description: 'Deletes.' }), confirmed)).toBe('changed');
    expect(readOnlyState(toolOf({ name: 'constructor' }), {})).toBe('unconfirmed');
  });
});

describe('a confirmation', () => {
  const { name, fingerprint } = tool;

  it('is stored, replaced and revoked, and leaves the others', () => {
    const stored = { other: 'f' };
    const updated = confirmTools(stored, { tools: [{ name, fingerprint, read_only: true }] }, [tool]);
    expect(updated).toEqual({ other: 'f', find: fingerprint });
    expect(confirmTools(updated, { tools: [{ name: 'other', read_only: false }] }, [tool])).toEqual(confirmed);
    // Of tools that are gone, too.
    expect(confirmTools(updated, { tools: [{ name, read_only: false }] }, [])).toEqual(stored);
  });

  it.each([
    ['no fingerprint', { name }, 'invalid_request', 'tools[0].fingerprint'],
    ['a tool that is not there', { name: 'gone', fingerprint }, 'invalid_request', 'tools[0].name'],
    ['a former version', { name, fingerprint: 'former' }, 'conflict', 'tools[0].fingerprint'],
  ])('is refused with %s', (_, given, reason, path) => {
    const confirming = () => confirmTools({}, { tools: [{ ...given, read_only: true }] }, [tool]);
    expect(confirming).toThrow(expect.objectContaining({ reason, details: [expect.objectContaining({ path })] }));
  });
});
