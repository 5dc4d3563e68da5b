import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { button, label, options, showField } from '../../../testing/show-field.tsx';
import { english } from '../../../testing/texts.ts';

describe('a field of the type prompt-editor', () => {
  const type = 'prompt-editor';
  const messages = [
    { role: 'system', content: 'one' },
    { role: 'user', content: 'two' },
  ];
  const numbered = (number: number) => screen.getAllByLabelText<HTMLTextAreaElement>(`${label} ${number}`);

  it('changes the role and the content of a message', async () => {
    const { user, latest } = await showField({ type }, messages);
    const [role, content] = numbered(2);
    expect(options(role as HTMLElement).map(([, text]) => text)).toEqual(Object.values(english.forms.roles));
    await user.selectOptions(role as HTMLElement, 'assistant');
    await user.type(content as HTMLElement, '!');
    expect(latest()).toEqual([messages[0], { role: 'assistant', content: 'two!' }]);
  });

  it('moves messages, but none over the ends', async () => {
    const { user, latest } = await showField({ type }, messages);
    const [up, down] = [english.common.moveUp, english.common.moveDown].map((name) =>
      screen.getAllByRole<HTMLButtonElement>('button', { name }).map((one) => one),
    );
    expect([up?.[0]?.disabled, up?.[1]?.disabled, down?.[0]?.disabled, down?.[1]?.disabled]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    await user.click(down?.[0] as HTMLElement);
    expect(latest()).toEqual(messages.toReversed());
  });

  it('removes a message', async () => {
    const { user, latest } = await showField({ type }, messages);
    await user.click(screen.getAllByRole('button', { name: english.common.remove })[0] as HTMLElement);
    expect(latest()).toEqual([messages[1]]);
  });

  it.each([
    ['system', []],
    ['user', [messages[0]]],
  ])('adds a message of the role %s to %j', async (role, stored) => {
    const { user, latest } = await showField({ type }, stored);
    await user.click(button(english.forms.addMessage));
    expect(latest()).toEqual([...stored, { role, content: '' }]);
  });

  it.each([undefined, null, 'text', {}])('has no message for %j', async (value) => {
    await showField({ type }, value);
    expect(screen.queryAllByRole('textbox')).toEqual([]);
  });
});

describe('variables of a prompt', () => {
  const [text] = ['Hello '];
  const first = () => screen.getAllByLabelText<HTMLTextAreaElement>(`${label} 1`)[1] as HTMLTextAreaElement;

  it('are offered while they are typed, and chosen with the keyboard', async () => {
    const { user, latest } = await showField({ type: 'prompt-editor' }, [{ role: 'system', content: text }]);
    await user.click(first());
    await user.keyboard('{End}{{{{');
    const listed = within(screen.getByRole('listbox')).getAllByRole('option');
    expect(listed[0]?.textContent).toContain(english.forms.variableTexts.user);
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(latest()).toEqual([{ role: 'system', content: 'Hello {{platform}}' }]);
    expect(screen.queryByRole('listbox')).toBeNull();
    await user.keyboard('!');
    expect(latest()).toEqual([{ role: 'system', content: 'Hello {{platform}}!' }]);
  });

  it('are dismissed with Escape', async () => {
    const { user } = await showField({ type: 'prompt-editor' }, [{ role: 'system', content: text }]);
    await user.click(first());
    await user.keyboard('{{{{{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('are shown with examples, and the tokens are estimated', async () => {
    const { user } = await showField({ type: 'prompt-editor' }, [{ role: 'system', content: 'For {{user}}.' }]);
    await user.click(button(english.forms.preview));
    expect(screen.getByText(`For ${english.forms.variableExamples.user}.`)).toBeTruthy();
    expect(screen.getByText(/estimate/).textContent).toMatch(/\d/);
  });
});
