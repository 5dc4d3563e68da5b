import type { MessageElement } from '@parley/sdk';

/** `<@U1|name>`, `<!channel>`, `<#C1|name>`, `<https://example.com|text>`. */
const reference = /<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g;

/**
 * A text of Slack as elements, with the mentions in it.
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
export function parseText(text: string): MessageElement[] {
  const elements: MessageElement[] = [];
  let plain = '';
  const endText = () => {
    if (plain !== '') elements.push({ type: 'Plain', text: plain });
    plain = '';
  };
  let end = 0;
  for (const match of text.matchAll(reference)) {
    plain += unescaped(text.slice(end, match.index));
    end = match.index + match[0].length;
    const element = elementOf(match);
    if (typeof element === 'string') plain += element;
    else {
      endText();
      elements.push(element);
    }
  }
  plain += unescaped(text.slice(end));
  endText();
  return elements;
}

function elementOf([, sign = '', target = '', name = '']: RegExpExecArray): MessageElement | string {
  const label = unescaped(name);
  if (sign === '@') return { type: 'At', target, display: label };
  if (sign === '#') return `#${label || target}`;
  if (sign === '!') {
    if (['channel', 'here', 'everyone'].includes(target)) return { type: 'AtAll' };
    return label || `@${target.replace(/^subteam\^/, '')}`;
  }
  const address = unescaped(target).replace(/^mailto:/, '');
  return label === '' || label === address ? address : `${label} (${address})`;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
