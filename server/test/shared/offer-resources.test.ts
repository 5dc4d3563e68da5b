import { afterEach, expect, test, vi } from 'vitest';
import { type OfferedResources, offerResources } from './offer-resources.ts';

let offered: OfferedResources;
afterEach(() => offered.close());

const ask = async (name: string) => {
  const response = await fetch(`${offered.url}/${name}`);
  return [response.status, await response.text()];
};

test('a resource is made when it is asked for, once, and removed at the end', async () => {
  const remove = vi.fn(async () => {});
  const make = vi.fn(async () => ({ address: 'here', remove }));
  const other = vi.fn(async () => ({ address: 'there', remove }));
  offered = await offerResources({ make, other });
  expect(make).not.toHaveBeenCalled();
  expect(await Promise.all([ask('make'), ask('make')])).toEqual([
    [200, 'here'],
    [200, 'here'],
  ]);
  expect(make).toHaveBeenCalledOnce();
  expect(remove).not.toHaveBeenCalled();
  await offered.close();
  expect(remove).toHaveBeenCalledOnce();
  expect(other).not.toHaveBeenCalled();
});

test('a resource that cannot be made tells why, and there is nothing to remove', async () => {
  offered = await offerResources({ broken: () => Promise.reject(new Error('no disk')) });
  expect(await ask('broken')).toEqual([500, 'no disk']);
  expect(await ask('unknown')).toEqual([500, 'there is no resource "unknown"']);
});
