import { expect, it } from 'vitest';
import { attachment } from './attachment.ts';

it.each([
  ['notes.txt', 'filename="notes.txt"', 'notes.txt'],
  ['a "b\\; c%41.txt', 'filename="a _b__ c_41.txt"', 'a%20%22b%5C%3B%20c%2541.txt'],
  ['履歴書 👩.pdf', 'filename="___ _.pdf"', '%E5%B1%A5%E6%AD%B4%E6%9B%B8%20%F0%9F%91%A9.pdf'],
  ["it's (1)*.txt", 'filename="it\'s (1)*.txt"', 'it%27s%20%281%29%2A.txt'],
  ['a\r\nset-cookie: b', 'filename="a__set-cookie: b"', 'a%0D%0Aset-cookie%3A%20b'],
  ['half \ud800', 'filename="half _"', 'half%20%EF%BF%BD'],
])('a file called %j is saved under its name', (name, plain, whole) => {
  expect(attachment(name)).toBe(`attachment; ${plain}; filename*=UTF-8''${whole}`);
  expect(attachment(name)).toMatch(/^[\x20-\x7e]+$/);
});
