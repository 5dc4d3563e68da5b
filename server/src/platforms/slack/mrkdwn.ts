/** Code, which is shown as it is: blocks, also those that are not complete yet, and inline. */
const code = /(```[\s\S]*?(?:```|$)|`[^`\n]+`)/;
/** Stands for the mark of bold text, until italics are translated. */
const boldMark = '\ue000';

/**
 * Markdown of models as the format of Slack. `& < >` are entities, so no text can become a mention.
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
export function mrkdwn(markdown: string): string {
  return markdown
    .split(code)
    .map((part, index) =>
      index % 2 === 1 ? escaped(part.replace(/^```[\w+-]+\n/, '```\n')) : translated(escaped(part)),
    )
    .join('');
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function translated(text: string): string {
  return text
    .replaceAll(boldMark, '')
    .replace(/\[([^\][\n|]+)\]\(((?:https?:\/\/|mailto:)[^\s()|]+)\)/g, '<$2|$1>')
    .replace(/^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm, (_, heading: string) => bold(heading.replaceAll('**', '')))
    .replace(/\*\*(?=\S)([^\n]*?\S)\*\*/g, (_, inner: string) => bold(inner))
    .replace(/(?<![\w*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\w*])/g, '_$1_')
    .replace(/~~(?=\S)([^\n]*?\S)~~/g, '~$1~')
    .replace(/^([ \t]*)[-*+][ \t]+/gm, '$1• ')
    .replace(/^&gt; ?/gm, '> ')
    .replaceAll(boldMark, '*');
}

function bold(text: string): string {
  return `${boldMark}${text}${boldMark}`;
}
