import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

it('verifies the password and no other', async () => {
  const hash = await hashPassword('correct horse 🐎');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await verifyPassword('correct horse 🐎', hash)).toBe(true);
  for (const wrong of ['', 'correct horse', 'correct horse 🐎 ', 'Correct horse 🐎']) {
    expect(await verifyPassword(wrong, hash)).toBe(false);
  }
});

it('takes what it is told to', async () => {
  const hash = await hashPassword('password', { memory: 8, passes: 1, parallelism: 1 });
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  expect(await verifyPassword('password', hash)).toBe(true);
  expect(await verifyPassword('passwort', hash)).toBe(false);
});

it('hashes the same password differently each time', async () => {
  expect(await hashPassword('password')).not.toBe(await hashPassword('password'));
});

it('verifies hashes of another cost', async () => {
  // A vector of the reference implementation's tests: 64 MiB, salt "somesalt".
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword('password', hash)).toBe(true);
});

it.each(['', 'plain', '$2b$12$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=8$x$y'])(
  'matches nothing to %j',
  async (hash) => {
    expect(await verifyPassword(hash, hash)).toBe(false);
  },
);
