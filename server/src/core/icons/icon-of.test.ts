import { expect, it } from 'vitest';
import { brandIcon } from '../../lib/brand-icon.ts';
import { platforms } from '../../platforms/index.ts';
import { modelRequesters } from '../../providers/index.ts';

const brands = new Set([...platforms, ...modelRequesters].flatMap(({ brand }) => brand ?? []));

it.each([...brands])('the logo of %s is an image without anything that runs', async (brand) => {
  const icon = await brandIcon(brand);
  expect(icon).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^<>]*><rect [^<>]*\/><path [^<>]*\/><\/svg>$/);
  expect(icon).toMatch(/ fill="#[\dA-F]{6}"/);
});

it('the best-known platforms and providers have one', () => {
  expect(brands).toContain('telegram');
  expect(brands).toContain('anthropic');
});

it('is dark on a light colour', async () => {
  expect(await brandIcon('huggingface')).toContain('fill="#111"');
  expect(await brandIcon('telegram')).toContain('fill="#fff"');
});

it('is not known for every name', async () => {
  expect(await brandIcon('no-such-brand')).toBeNull();
  expect(await brandIcon('../package')).toBeNull();
});
