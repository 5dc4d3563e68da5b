import {
  type ComponentProps,
  createContext,
  isValidElement,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { hostBeside } from '../lib/link-host.ts';
import { withMath } from '../lib/math-text.ts';
import { safeLinkAddress } from '../lib/safe-address.ts';
import { CopyButton } from './copy-button.tsx';
import { citationMarkers, citedNumber } from './explain/citation-markers.ts';
import type { CitedSource } from './explain/passage.ts';
import { InsideLink, MessageImage } from './message-image.tsx';
import './markdown.css';

const components: Components = {
  a: ({ node: _, href, children }) => (href ? <TextLink href={href}>{children}</TextLink> : <span>{children}</span>),
  cite: ({ node, children }) => <Citation number={Number(node?.properties[citedNumber])}>{children}</Citation>,
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

interface MarkdownProps {
  text: string;
  /** The sources of the text: their numbers become buttons. */
  sources?: readonly CitedSource[] | undefined;
  /** Should be a stable function. */
  onOpenSource?: ((number: number) => void) | undefined;
  /** Of a text of ours: shown in place of the parts for untrusted text, which get every address. Should be stable. */
  parts?: Components | undefined;
}

const OpenSource = createContext<MarkdownProps['onOpenSource']>(undefined);

/** Untrusted text of a model: shown as Markdown, raw HTML as text, only safe links. */
export const Markdown = memo(function Markdown({ text, sources, onOpenSource, parts }: MarkdownProps) {
  const mathText = useMemo(() => withMath(text), [text]);
  const math = useMathPlugins(mathText !== null);
  const rehypePlugins = useMemo(() => {
    const markers = sources === undefined || sources.length === 0 ? [] : [citationMarkers(sources)];
    return [...markers, ...(math?.rehype ?? [])];
  }, [sources, math]);
  return (
    <div className="markdown">
      <OpenSource value={onOpenSource}>
        <ReactMarkdown
          remarkPlugins={[remarkGfm, ...(math?.remark ?? [])]}
          rehypePlugins={rehypePlugins}
          components={parts === undefined ? components : { ...components, ...parts }}
          urlTransform={(address, attribute) =>
            attribute === 'src' || parts !== undefined ? address : safeLinkAddress(address)
          }
        >
          {math !== null && mathText !== null ? mathText : text}
        </ReactMarkdown>
      </OpenSource>
    </div>
  );
});

type MathPlugins = typeof import('./math-plugins.ts').mathPlugins;
let loadedPlugins: MathPlugins | null = null;

/** What draws math, loaded with the first text that has any. Null until then, and if it cannot be loaded. */
function useMathPlugins(isWanted: boolean): MathPlugins | null {
  const [plugins, setPlugins] = useState(loadedPlugins);
  useEffect(() => {
    if (!isWanted || plugins !== null) return;
    let isGone = false;
    import('./math-plugins.ts').then(
      ({ mathPlugins }) => {
        loadedPlugins = mathPlugins;
        if (!isGone) setPlugins(mathPlugins);
      },
      // The text is readable without.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isWanted, plugins]);
  return isWanted ? plugins : null;
}

/** A number in the text, or an entry of the list of sources, that opens the source. */
function Citation({ number, children }: { number: number; children: ReactNode }) {
  const { t } = useTranslation();
  const open = useContext(OpenSource);
  if (open === undefined) return children;
  return (
    <button
      type="button"
      className="citation"
      title={t('citations.open', { number })}
      aria-haspopup="dialog"
      onClick={() => open(number)}
    >
      {children}
    </button>
  );
}

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

/** The text of rendered elements, without their formatting. */
export function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}
