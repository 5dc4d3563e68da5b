import { expect, test } from 'vitest';
import { closestName } from './closest-name.ts';

const names = ['host', 'port', 'data_dir', 'database_url', 'log_level'];

test.each([
  ['prot', 'port'],
  ['hots', 'host'],
  ['datadir', 'data_dir'],
  ['databse_ur', 'database_url'],
  ['log-level', 'log_level'],
])('%s is taken for %s', (written, meant) => {
  expect(closestName(written, names)).toBe(meant);
});

test.each(['colour', 'x', '', 'model_name'])('suggests nothing for "%s"', (written) => {
  expect(closestName(written, names)).toBeUndefined();
});
