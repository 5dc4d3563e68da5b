import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Components } from 'react-markdown';
import { serverAddress } from '../../lib/server-address.ts';
import { Markdown, textOf } from '../markdown.tsx';
import { guideTarget, headingAnchor } from './guide-address.ts';
import { guideImage } from './guide-texts.ts';

/** A guide as Markdown: headings have anchors, links to other guides stay in the console. */
export function GuideText({ text }: { text: string }) {
  return <Markdown text={text} parts={parts} />;
}

const parts: Components = {
  a: ({ href = '', children }) => <GuideAnchor address={href}>{children}</GuideAnchor>,
  img: ({ src, alt }) => {
    const image = guideImage(String(src));
    return image === null ? alt : <img src={image} alt={alt} loading="lazy" />;
  },
  h2: ({ children }) => <Heading level="h2">{children}</Heading>,
  h3: ({ children }) => <Heading level="h3">{children}</Heading>,
  h4: ({ children }) => <Heading level="h4">{children}</Heading>,
};

function Heading({ level: Level, children }: { level: 'h2' | 'h3' | 'h4'; children: ReactNode }) {
  const anchor = headingAnchor(textOf(children));
  return (
    <Level id={anchor} className="scroll-mt-6">
      <Link to="." hash={anchor} className="heading-link">
        {children}
      </Link>
    </Level>
  );
}

/** Files of the repository that are not shipped are text. */
function GuideAnchor({ address, children }: { address: string; children: ReactNode }) {
  const target = guideTarget(address);
  if (target === null) return children;
  if (target.kind === 'heading') {
    return (
      <Link to="." hash={target.hash}>
        {children}
      </Link>
    );
  }
  if (target.kind === 'guide') {
    return (
      <Link to="/guides/$name" params={{ name: target.name }} {...(target.hash !== '' && { hash: target.hash })}>
        {children}
      </Link>
    );
  }
  const outside = target.kind === 'api' ? `${serverAddress}/docs` : target.address;
  return (
    <a href={outside} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
