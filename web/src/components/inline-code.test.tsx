import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { InlineCode } from './inline-code.tsx';

it.each([
  ['The folder `fonts`, or `more/fonts`.', 'The folder fonts, or more/fonts.', ['fonts', 'more/fonts']],
  ['No code.', 'No code.', []],
])('shows what is between backticks as code: %s', (text, shown, code) => {
  const { container } = render(<InlineCode text={text} />);
  expect(container.textContent).toBe(shown);
  expect([...container.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual(code);
});
