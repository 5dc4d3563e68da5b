import { expect, it } from 'vitest';
import { toolAccess } from './tool-users.ts';

const preferences = {
  enable_all_plugins: false,
  plugins: [{ author: 'example', name: 'units' }],
  enable_all_mcp_servers: false,
  mcp_servers: ['A', 'b', 'c', 'd'],
  mcp_tool_users: {
    b: { allow: 'listed' as const, users: ['person_17', ' person_18 '] },
    c: { allow: 'everyone' as const, users: [] },
    d: { allow: 'nobody' as const, users: ['person_17'] },
    unbound: { allow: 'everyone' as const, users: [] },
    'example/units': { allow: 'listed' as const, users: ['person_17'] },
  },
};
const access = (sender_id: string, signed_in_admin?: boolean, over: Partial<typeof preferences> = {}) => {
  const facts = signed_in_admin === undefined ? {} : { signed_in_admin };
  const refusalOf = toolAccess({ ...preferences, ...over }, { sender_id, facts });
  return ['a', 'b', 'c', 'd', 'unbound'].map((server) => refusalOf({ extension: `mcp-server/${server}` }));
};

const [no, unknown] = ['tool_not_for_user', 'tool_not_allowed'];

it.each<[string, boolean | undefined, (string | null)[]]>([
  ['17', undefined, [no, null, null, no, unknown]],
  ['18', undefined, [no, null, null, no, unknown]],
  ['1', undefined, [no, no, null, no, unknown]],
  ['person_17', undefined, [no, no, null, no, unknown]],
  ['', undefined, [no, no, null, no, unknown]],
  ['1', false, [no, no, null, no, unknown]],
  ['1', true, [null, null, null, null, unknown]],
])('says for %j (admin: %s) which tools that are not read-only run', (sender, isAdmin, expected) => {
  expect(access(sender, isAdmin)).toEqual(expected);
});

it('lets tools that are read-only run for everyone, where they are bound', () => {
  const refusalOf = toolAccess(preferences, { sender_id: '1', facts: {} });
  expect(refusalOf({ extension: 'mcp-server/a', readOnly: true })).toBeNull();
  expect(refusalOf({ extension: 'mcp-server/a', readOnly: false })).toBe(no);
  expect(refusalOf({ extension: 'mcp-server/unbound', readOnly: true })).toBe(unknown);
  expect(refusalOf({})).toBeNull();
});

it('requires users also when all servers are bound', () => {
  expect(access('1', undefined, { enable_all_mcp_servers: true, mcp_servers: [] })).toEqual([no, no, null, no, null]);
});

it('has the same rules for the tools of plugins', () => {
  const refusal = (sender_id: string, name: string, over: Partial<typeof preferences> = {}, readOnly = false) =>
    toolAccess(
      { ...preferences, ...over },
      { sender_id, facts: {} },
    )({ extension: `plugin/example/${name}`, readOnly });
  expect(refusal('17', 'units')).toBeNull();
  expect(refusal('1', 'units')).toBe(no);
  expect(refusal('1', 'units', {}, true)).toBeNull();
  expect(refusal('17', 'other', {}, true)).toBe(unknown);
  expect(refusal('1', 'other', { enable_all_plugins: true }, true)).toBeNull();
});
