import { expect, it } from 'vitest';
import { completeConfig } from './complete-config.ts';
import { withFirstModel } from './first-model.ts';
import { namedModels } from './named-models.ts';

const configOf = (primary: string, ...fallbacks: string[]) =>
  completeConfig({ ai: { 'local-agent': { model: { primary, fallbacks } } } });
const order = (config: ReturnType<typeof configOf>) => namedModels(config).map(({ uuid }) => uuid);

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
  const { ai, ...rest } = withFirstModel(config, 'b');
  const { 'local-agent': agent, ...groups } = ai;
  expect({ ...rest, ai: { ...groups, 'local-agent': { ...agent, model: config.ai['local-agent'].model } } }).toEqual(
    config,
  );
});
