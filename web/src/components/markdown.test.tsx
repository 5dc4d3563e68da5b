import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { CitedSource } from './explain/passage.ts';
import { Markdown } from './markdown.tsx';

const sources: CitedSource[] = [
  { number: 1, file_name: 'hand[book].pdf' },
  { number: 2, file_name: '' },
];
const buttons = (text: string, known: { sources?: readonly CitedSource[] } = { sources }) => {
  const { container } = render(<Markdown text={text} {...known} onOpenSource={() => undefined} />);
  const names = [...container.querySelectorAll('button')].map(({ textContent }) => textContent);
  return { names, text: container.textContent, container };
};

it.each([
  ['At nine [1].', ['[1]']],
  ['Both [1][2], **[1]** and\n\n- in a list [2]', ['[1]', '[2]', '[1]', '[2]']],
  ['| a | b |\n|---|---|\n| [1] | x |', ['[1]']],
  ['> quoted [2]', ['[2]']],
  ['No source [3], [01], [1234], [ 1 ], [x]', []],
  ['In code `a[1]`', []],
  ['```\na[1]\n```', []],
  ['A [link [1]](https://a.example) and [1](https://b.example)', []],
  ['Raw <cite data-citation="1">[3]</cite> is text', []],
])('numbers of sources are buttons: %s', (text, names) => {
  expect(buttons(text).names.filter((name) => name?.startsWith('['))).toEqual(names);
});

it('the list of sources opens them by their names', () => {
  const text = 'At nine [1].\n\n[1] hand_book_.pdf, p. 3  \n[2] Leaflets';
  expect(buttons(text).names).toEqual(['[1]', '[1] hand_book_.pdf', '[2]']);
});

it('nothing is a button without sources, or without what opens them', () => {
  expect(buttons('At nine [1].', {}).names).toEqual([]);
  expect(buttons('At nine [1].', { sources: [] }).names).toEqual([]);
  const { container } = render(<Markdown text="At nine [1]." sources={sources} />);
  expect([container.textContent, container.querySelectorAll('button')]).toEqual([
    'At nine [1].',
    expect.objectContaining({ length: 0 }),
  ]);
});

it('changes no text', () => {
  expect(buttons('At [1] nine [2] and [9].').text).toBe('At [1] nine [2] and [9].');
});

it('opens a source by its number', async () => {
  const open = vi.fn();
  render(<Markdown text="At nine [2]." sources={sources} onOpenSource={open} />);
  await userEvent.click(screen.getByRole('button', { name: '[2]' }));
  expect(open).toHaveBeenCalledExactlyOnceWith(2);
});

it('draws math without anything from elsewhere', async () => {
  const { container } = render(
    <Markdown text={'Mass is \\(E = mc^2\\), see $x_1$ for $5 or $10, `$y$`, \\[\\frac{1}{2}\\]'} />,
  );
  await waitFor(() => expect(container.querySelectorAll('math')).toHaveLength(3));
  expect(container.querySelector('math[display=block] mfrac')).not.toBeNull();
  expect(container.textContent).toContain('for $5 or $10');
  expect(container.querySelector('code')?.textContent).toBe('$y$');
});

it.each([
  '$$\\href{javascript:alert(1)}{x}$$',
  '$$\\includegraphics{https://a.example/x.png}$$',
  '$$\\htmlData{a=b}{x}$$',
  '$$\\def\\a{\\a\\a}\\a$$',
  '$$\\frac{$$',
])('shows hostile math as text: %s', async (text) => {
  const { container } = render(<Markdown text={`${text} \\(z\\)`} />);
  await waitFor(() => expect(container.querySelector('math')).not.toBeNull());
  expect(container.querySelector('a, img, script')).toBeNull();
});
