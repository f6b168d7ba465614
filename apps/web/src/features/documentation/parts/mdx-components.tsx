import type { MDXComponents } from 'mdx/types';
import { Code, TextLink } from './rich-text.tsx';

export const mdxComponents: MDXComponents = {
  a: ({ href = '', children }) => <TextLink to={href}>{children}</TextLink>,
  code: Code,
  h3: ({ children }) => <h3 className="pt-2 text-base">{children}</h3>,
  p: ({ children }) => <p className="max-w-2xl text-pretty text-sm">{children}</p>,
  ul: ({ children }) => <ul className="grid max-w-2xl list-disc gap-2 pl-5 text-sm marker:text-muted">{children}</ul>,
  ol: ({ children }) => (
    <ol className="grid max-w-2xl list-decimal gap-2 pl-5 text-sm marker:text-muted marker:tabular-nums">{children}</ol>
  ),
  table: ({ children }) => <table className="w-full text-left text-sm">{children}</table>,
  th: ({ children }) => <th className="py-2 pr-6 font-medium text-muted text-xs">{children}</th>,
  td: ({ children }) => (
    <td className="border-line border-t py-2.5 pr-6 align-top text-muted first:font-medium first:text-ink">
      {children}
    </td>
  ),
};
