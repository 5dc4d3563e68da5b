import { describe, expect, it } from 'vitest';
import { completionsAt, insertVariable, previewOf } from './prompt-variables.ts';

const values = {
  user: 'Ada',
  group: 'Chess',
  platform: 'Telegram',
  date: '2026-03-04',
  time: '12:05',
  knowledge: '…',
};

describe('variables of a prompt', () => {
  it('are shown with examples, other braces as they are', () => {
    expect(previewOf('{{user}} at {{ time }} {{name}} {user}', values)).toBe('Ada at 12:05 {{name}} {user}');
  });

  it.each([
    ['Hello {{', 8, 6],
    ['Hello {{ p', 10, 1],
    ['Hello {{zz', 10, 0],
    ['Hello {{user}} ', 15, 0],
    ['Hello {u', 8, 0],
  ])('are offered in %j at %i: %i', (text, caret, count) => {
    expect(completionsAt(text, caret)).toHaveLength(count);
  });

  it('replace what was begun, and closing braces behind it', () => {
    expect(insertVariable('Hi {{us, bye', 7, 'user')).toEqual({ text: 'Hi {{user}}, bye', caret: 11 });
    expect(insertVariable('Hi {{}}!', 5, 'date')).toEqual({ text: 'Hi {{date}}!', caret: 11 });
    expect(insertVariable('Hi ', 3, 'group')).toEqual({ text: 'Hi {{group}}', caret: 12 });
  });
});
