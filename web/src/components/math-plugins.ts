import type { Options } from 'react-markdown';
import rehypeKatex from 'rehype-katex';
import remarkMath from 'remark-math';

type Plugins = NonNullable<Options['remarkPlugins']>;

/** For math as `withMath` writes it. Browsers draw MathML themselves: no fonts and styles are needed. */
export const mathPlugins: { remark: Plugins; rehype: Plugins } = {
  remark: [[remarkMath, { singleDollarTextMath: false }]],
  rehype: [[rehypeKatex, { output: 'mathml', strict: 'ignore' }]],
};
