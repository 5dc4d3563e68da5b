import { fakeParserContext, parserContract, parserFile } from '@parley/sdk/testing';
import { expect, test } from 'vitest';
import { email } from './index.ts';
import { parse } from './parse.ts';

const file = (name: string, lines: string | readonly string[]) =>
  parserFile(name, typeof lines === 'string' ? lines : lines.join('\r\n'), 'message/rfc822');
const read = (...lines: string[]) => parse(file('a.eml', lines), fakeParserContext());
const part = (boundary: string, ...lines: string[]) => [`--${boundary}`, ...lines];

parserContract({
  parser: email,
  samples: [
    {
      file: file('plain.eml', [
        'From: Lumo Works <help@example.com>',
        'To: "Reader, A" <reader@example.com>, second@example.com',
        'Cc: All: third@example.com;',
        'Date: Thu, 30 Apr 2026 14:00:00 +0200',
        'Subject: =?utf-8?B?5Y+w54Gv?= and more',
        '',
        'First paragraph.',
        'Its second line.',
        '',
        'Second paragraph.',
      ]),
      expects: ({ title, blocks }) => {
        expect(title).toBe('台灯 and more');
        expect(blocks.map((block) => ('text' in block ? block.text : ''))).toEqual([
          '台灯 and more',
          'From: Lumo Works <help@example.com>',
          'To: Reader, A <reader@example.com>, second@example.com',
          'Cc: All: third@example.com',
          'Date: 2026-04-30 12:00 UTC',
          'First paragraph.\nIts second line.',
          'Second paragraph.',
        ]);
      },
    },
  ],
  broken: [
    { file: file('text.eml', 'This is no e-mail.') },
    {
      file: file('deep.eml', [
        'Subject: deep',
        ...Array.from({ length: 80 }, (_, at) => [
          `Content-Type: multipart/mixed; boundary=b${at}`,
          '',
          `--b${at}`,
        ]).flat(),
        '',
        'text',
      ]),
      reason: 'document_too_complex',
    },
    {
      file: file('locked.eml', [
        'Subject: secret',
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
        'Content-Transfer-Encoding: base64',
        '',
        'MIIB',
      ]),
      reason: 'document_encrypted',
    },
  ],
});

test('of two forms of the same text the richer one is read', async () => {
  const { blocks } = await read(
    'Subject: Modes',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    ...part('b', 'Content-Type: text/plain', '', 'plain'),
    ...part('b', 'Content-Type: text/html; charset=iso-8859-1', 'Content-Transfer-Encoding: quoted-printable', ''),
    '<ul><li>gr=F6=DFer<li>=\r\nsmaller</ul><script>alert(1)</script>',
    '--b--',
  );
  expect(blocks.slice(1)).toEqual([
    { type: 'list-item', text: 'größer' },
    { type: 'list-item', text: 'smaller' },
  ]);
});

test('attached texts are read, other attachments named', async () => {
  const { blocks, warnings } = await read(
    'Subject: Files',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...part('b', 'Content-Type: text/plain', '', 'See below.'),
    ...part('b', 'Content-Type: text/html; name=page.html', 'Content-Disposition: attachment; filename=page.html', ''),
    '<p>A page.</p>',
    ...part('b', 'Content-Type: application/pdf', 'Content-Disposition: attachment; filename=plan.pdf', '', 'x'),
    ...part('b', 'Content-Type: image/png', 'Content-ID: <logo>', 'Content-Disposition: inline', '', 'x'),
    '--b--',
  );
  expect(blocks.slice(1)).toEqual([
    { type: 'paragraph', text: 'See below.' },
    { type: 'heading', level: 2, text: 'page.html' },
    { type: 'paragraph', text: 'A page.' },
  ]);
  expect(warnings).toEqual([expect.stringContaining('plan.pdf')]);
});
