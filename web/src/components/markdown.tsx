import { type ComponentProps, isValidElement, memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { hostBeside } from '../lib/link-host.ts';
import { safeLinkAddress } from '../lib/safe-address.ts';
import { CopyButton } from './copy-button.tsx';
import { InsideLink, MessageImage } from './message-image.tsx';
import './markdown.css';

const components: Components = {
  a: ({ node: _, href, children }) => (href ? <TextLink href={href}>{children}</TextLink> : <span>{children}</span>),
  img: ({ node: _, src, alt = '' }) => <MessageImage address={src ?? ''} alt={alt} />,
  pre: ({ node: _, ...properties }) => <CodeBlock {...properties} />,
  table: ({ node: _, ...properties }) => (
    // A wide table scrolls by itself; the page never does.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <section className="overflow-x-auto rounded-xl border" tabIndex={0}>
      <table {...properties} />
    </section>
  ),
};

/** Untrusted text of a model: shown as Markdown, raw HTML as text, only safe links. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        components={components}
        urlTransform={(address, attribute) => (attribute === 'src' ? address : safeLinkAddress(address))}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** A link, with its host unless the text contains it. */
function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const host = hostBeside(href, textOf(children));
  return (
    <InsideLink value={true}>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {host !== null && <span className="text-[0.85em] wrap-anywhere text-muted-foreground"> ({host})</span>}
    </InsideLink>
  );
}

function CodeBlock({ children, ...properties }: ComponentProps<'pre'>) {
  const { t } = useTranslation();
  const className = isValidElement<{ className?: string }>(children) ? children.props.className : undefined;
  const language = /language-([\w+#.-]+)/.exec(className ?? '')?.[1];
  return (
    <div className="overflow-hidden rounded-xl border bg-muted">
      <div className="flex h-10 items-center justify-between border-b pr-1 pl-4 text-xs text-muted-foreground">
        <span>{language}</span>
        <CopyButton
          iconOnly
          text={() => textOf(children).replace(/\n$/, '')}
          label={t('chat.copyCode')}
          copiedLabel={t('chat.copied')}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <pre {...properties} tabIndex={0} className="overflow-x-auto p-4">
        {children}
      </pre>
    </div>
  );
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}
