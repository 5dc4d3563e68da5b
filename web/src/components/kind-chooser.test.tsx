import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInConsole } from '../../testing/render.tsx';
import { type Kind, KindChooser } from './kind-chooser.tsx';

const kind = (name: string, label: string, words = ''): Kind => ({ name, label, words, icon: null });
const categories = [
  {
    name: 'makers',
    label: 'Makers',
    kinds: [kind('openai-chat', 'OpenAI', 'GPT'), kind('other-chat', 'Macaw', 'Speaks the protocol of OpenAI')],
  },
  {
    name: 'own',
    label: 'Own',
    kinds: [kind('azure-chat', 'Azure OpenAI'), kind('local', 'Local', 'On your computer')],
  },
];

async function find(text: string): Promise<string[]> {
  const find = { label: 'Find', none: 'Nothing' };
  await renderInConsole(<KindChooser categories={categories} find={find} manyKinds={1} onChoose={vi.fn()} />);
  await userEvent.type(screen.getByLabelText('Find'), text);
  return screen.queryAllByRole('button').map(({ textContent }) => textContent ?? '');
}

it.each([
  ['openai', ['OpenAI', 'Azure OpenAI']],
  ['OPENAI-chat', ['OpenAI']],
  ['protocol', ['Macaw']],
  ['computer', ['Local']],
  ['', ['OpenAI', 'Macaw', 'Azure OpenAI', 'Local']],
])('%j finds what is called so, and else what is described so', async (text, found) => {
  if (text === '') text = ' ';
  expect(await find(text)).toEqual(found);
});

it('says when there is none', async () => {
  expect(await find('nowhere')).toEqual([]);
  expect(screen.getByRole('status').textContent).toBe('Nothing');
});
