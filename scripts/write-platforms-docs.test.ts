import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { platformCase } from '../sdk/testing/platforms/cases/index.ts';
import { platforms } from '../server/src/platforms/index.ts';
import { platformsDocs, platformsDocsFile, shownCapabilities, shownPlatforms } from './write-platforms-docs.ts';

/** The web chat is a part of the service, without a platform that could be faked. */
const own = ['websocket'];

it('docs/platforms/README.md is current; `npm run docs` updates it', async () => {
  expect(readFileSync(platformsDocsFile, 'utf8')).toBe(await platformsDocs());
});

it('docs/platforms/README.md has every platform, with the test that runs its suite', async () => {
  const shown = await shownPlatforms();
  const names = platforms.map(({ name }) => name).filter((name) => !own.includes(name));
  expect(shown.map(({ platform }) => platform.name)).toEqual(names);
  for (const { file } of shown) {
    expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).toContain('platformContract({');
  }
});

it.each(Object.values(shownCapabilities).flatMap((rows) => Object.values(rows)))('there is a case “%s”', (name) => {
  expect(platformCase(name).name).toBe(name);
});
