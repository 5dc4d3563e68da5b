import { expect, it } from 'vitest';
import { checkStoreMark, type MarkedFiles, type MarkedStore } from './store-mark.ts';

/** A place with files and perhaps a mark. */
class FakePlace implements MarkedStore {
  readonly place = 'the folder /files';
  found: string | null;
  readonly #keys: readonly string[];

  constructor(found: string | null, keys: readonly string[] = []) {
    this.found = found;
    this.#keys = keys;
  }

  async installation() {
    return this.found;
  }

  async mark(installation: string) {
    this.found = installation;
  }

  async has(key: string) {
    return this.#keys.includes(key);
  }
}

const files = (recorded: string[] = [], isOwn = false): MarkedFiles => ({
  installation: 'ours',
  recorded,
  isOwn,
  setting: 'PARLEY_FILES_FOLDER',
});

it.each([
  ['a new place of a new installation', new FakePlace(null), files()],
  ['the marked place', new FakePlace('ours'), files(['a'])],
  ['a place from before there were marks', new FakePlace(null, ['b']), files(['a', 'b'])],
  ['the own place of a database that was lost', new FakePlace('another'), files([], true)],
])('takes %s', async (_, place, expected) => {
  await checkStoreMark(place, expected);
  expect(place.found).toBe('ours');
});

it.each([
  ['a place that is not mounted', new FakePlace(null), files(['a']), /not in the folder \/files.*PARLEY_FILES_FOLDER/],
  ['the own place when it is empty', new FakePlace(null), files(['a'], true), /create "installation".*content ours/],
  ['a place of another installation', new FakePlace('another'), files(), /another installation.*PARLEY_FILES_FOLDER/],
  ['one with files of the same names', new FakePlace('another', ['a']), files(['a'], true), /another installation/],
])('refuses %s', async (_, place, expected, message) => {
  const before = place.found;
  await expect(checkStoreMark(place, expected)).rejects.toThrow(message);
  expect(place.found).toBe(before);
});

it('refuses a place that another installation takes at the same time', async () => {
  const place = new FakePlace(null);
  place.mark = async () => {
    place.found = 'another';
  };
  await expect(checkStoreMark(place, files())).rejects.toThrow(/at the same time/);
});
