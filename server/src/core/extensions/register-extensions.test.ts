import { silentLogger } from '@parley/sdk/testing';
import { expect, it } from 'vitest';
import { ExtensionRegistries } from './extension-registries.ts';
import { registerExtensions } from './register-extensions.ts';

const label = { en_US: 'Echo' };
const answer = async function* () {};
const runner = { name: 'echo', label, answer };

it.each<[what: string, extension: unknown, error: string]>([
  ['nothing', undefined, 'its default export is not an extension'],
  ['a function', () => undefined, 'its default export is not an extension'],
  ['no range of versions', { runners: [runner] }, 'it does not name the versions of @parley/sdk that it works with'],
  ['an invalid range', { sdk: 'newest', runners: [runner] }, 'it does not name the versions of @parley/sdk'],
  ['another version', { sdk: '>=99', runners: [runner] }, 'it works with versions >=99 of @parley/sdk, but this is'],
  ['an unknown kind', { sdk: '*', bots: [] }, 'it has parts of an unknown kind: bots'],
  ['one part without its list', { sdk: '*', runners: runner }, 'runners is not a list'],
  ['no parts', { sdk: '*', runners: [] }, 'it has no parts'],
  ['a part that is no object', { sdk: '*', runners: [null] }, 'a runner has no name'],
  ['a part without a name', { sdk: '*', runners: [{ label, answer }] }, 'a runner has no name'],
  ['a part without a label', { sdk: '*', runners: [{ name: 'echo', answer }] }, 'the runner echo has no English label'],
  [
    'a label in no language',
    { sdk: '*', stages: [{ name: 'cut', label: 'Cut' }] },
    'the stage cut has no English label',
  ],
  [
    'an engine without a name',
    { sdk: '*', knowledgeEngines: [{ plugin_id: 'a/b' }] },
    'engine a/b has no English label',
  ],
  [
    'a part without its method',
    { sdk: '*', runners: [{ name: 'echo', label }] },
    'the runner echo has no method answer',
  ],
  ['a command without a description', { sdk: '*', commands: [{ name: 'go' }] }, 'the command go has no description'],
  [
    'a command without its method',
    { sdk: '*', commands: [{ name: 'go', description: 'Goes.' }] },
    'the command go has no method run',
  ],
  [
    'a command that cannot be given',
    { sdk: '*', commands: [{ name: 'Go', description: 'Goes.', run: () => '' }] },
    'the command Go has a name that is not one word in lower case: Go',
  ],
  [
    'a command with aliases that are no list',
    { sdk: '*', commands: [{ name: 'go', aliases: 'walk', description: 'Goes.', run: () => '' }] },
    'the aliases of the command go are not a list',
  ],
])('refuses a module with %s, and says why', (_, extension, error) => {
  const registries = new ExtensionRegistries('local-agent');
  const [shown] = registerExtensions([{ source: './it', extension } as never], registries, silentLogger);
  expect(shown).toEqual({ source: './it', is_loaded: false, error: expect.stringContaining(error), provides: [] });
  expect(registries.runners.list()).toEqual([]);
});

it('registers all parts of a module, and none where one of them clashes', () => {
  const registries = new ExtensionRegistries('local-agent');
  const other = { ...runner, name: 'other' };
  const load = (...runners: object[]) =>
    registerExtensions([{ source: './it', extension: { sdk: '*', runners } } as never], registries, silentLogger);
  expect(load(runner)).toMatchObject([{ is_loaded: true, provides: ['runner echo'] }]);
  expect(load(other, runner)).toMatchObject([{ is_loaded: false, error: expect.stringContaining('echo') }]);
  expect(registries.runners.list()).toEqual([runner]);
});
