import { expect, it } from 'vitest';
import { formWithFile, nameWithEnding } from './file-upload.ts';

it.each([
  ['cat.png', 'image/png', 'cat.png'],
  ['image', 'image/png', 'image.png'],
  ['image', 'image/jpeg', 'image.jpg'],
  ['voice', 'audio/x-wav', 'voice.wav'],
  ['notes', 'text/plain', 'notes.txt'],
  ['drawing', 'image/svg+xml', 'drawing.svg'],
  ['data', 'application/octet-stream', 'data.bin'],
  ['data', 'no type', 'data.bin'],
  ['', 'audio/mpeg', 'file.mp3'],
  ['版本 2.0 说明', 'text/plain', '版本 2.0 说明.txt'],
])('%j of the type %s is called %s', (name, media_type, expected) => {
  expect(nameWithEnding({ name, media_type })).toBe(expected);
});

it('a form contains the file with its name and type', async () => {
  const file = formWithFile({ name: 'a', media_type: 'text/plain', bytes: new TextEncoder().encode('好') }).get('file');
  expect(file).toMatchObject({ name: 'a.txt', type: 'text/plain' });
  expect(await (file as File).text()).toBe('好');
});
