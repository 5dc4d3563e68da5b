import { serverAddress } from '../../lib/server-address.ts';

/** What a file with credentials names, so that it can be used much later. */
export function recoveryFileFields(user: string): { user: string; address: string; link: string; date: string } {
  return {
    user,
    address: serverAddress,
    link: `${serverAddress}/reset-password`,
    date: new Date().toISOString().slice(0, 10),
  };
}

/** `parley-recovery-key-chat.example.org-ada.txt`, without characters that file systems reject. */
export function recoveryFileName(kind: 'recovery-key' | 'recovery-codes', user: string): string {
  const parts = [new URL(serverAddress).host, user].map((part) =>
    part.replace(/[^\p{L}\p{N}.@_-]+/gu, '-').slice(0, 80),
  );
  return `parley-${kind}-${parts.join('-')}.txt`;
}
