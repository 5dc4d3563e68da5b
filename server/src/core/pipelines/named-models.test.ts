import { expect, it } from 'vitest';
import { builtInSchema, completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { answeringModels, withFirstModel } from './named-models.ts';

const configOf = (primary: string, ...fallbacks: string[]) =>
  builtInSchema.read(completeConfig({ ai: { 'local-agent': { model: { primary, fallbacks } } } }));
const order = answeringModels;

it('asks one of the models first and then the others', () => {
  const config = configOf('a', 'b', 'c');
  expect(order(withFirstModel(config, 'c'))).toEqual(['c', 'a', 'b']);
  expect(order(withFirstModel(config, 'b'))).toEqual(['b', 'a', 'c']);
  expect(order(config)).toEqual(['a', 'b', 'c']);
});

it('asks none twice', () => {
  expect(order(withFirstModel(configOf('a', 'b', 'a', 'b'), 'b'))).toEqual(['b', 'a']);
});

it.each([null, 'a', 'z', ''])('stays as it is for %j', (model) => {
  const config = configOf('a', 'b');
  expect(withFirstModel(config, model)).toBe(config);
});

it('leaves everything else alone', () => {
  const config = configOf('a', 'b');
  const { runner, ...rest } = withFirstModel(config, 'b');
  const model = config.runner.settings?.model;
  expect({ ...rest, runner: { ...runner, settings: { ...runner.settings, model } } }).toEqual(config);
});

it('a runner that calls no model of the installation has none, whatever the others have', () => {
  const agent = { model: { primary: 'a', fallbacks: ['b'] } };
  const stored = completeConfig({ ai: { runner: { runner: 'dify-service-api' }, 'local-agent': agent } });
  const config = builtInSchema.read(stored);
  expect(order(config)).toEqual([]);
  expect(withFirstModel(config, 'b')).toBe(config);
  // They are still named, so they must exist.
  expect(builtInSchema.models(stored).map(({ path }) => path)).toEqual([
    'ai.local-agent.model.primary',
    'ai.local-agent.model.fallbacks[0]',
  ]);
});
