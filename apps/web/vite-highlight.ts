import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createCssVariablesTheme, createHighlighter, type Highlighter } from 'shiki';
import type { Plugin } from 'vite';

const grammars = {
  sh: 'shellscript',
  mjs: 'javascript',
  ts: 'typescript',
  py: 'python',
  php: 'php',
  go: 'go',
  json: 'json',
} as const;
const theme = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--', fontStyle: false });

/** Highlights files that are imported with `?code` at build time, so that browsers load no highlighter. */
export function highlight(): Plugin {
  let highlighter: Promise<Highlighter> | undefined;
  return {
    name: 'highlight',
    enforce: 'pre',
    load: async function (id) {
      const [file = '', query] = id.split('?');
      if (query !== 'code') return;
      const lang = grammars[path.extname(file).slice(1) as keyof typeof grammars];
      if (!lang) throw new Error(`No language is known for ${file}.`);
      this.addWatchFile(file);
      highlighter ??= createHighlighter({ themes: [theme], langs: Object.values(grammars) });
      const text = (await readFile(file, 'utf8')).trimEnd();
      const { tokens } = (await highlighter).codeToTokens(text, { lang, theme: 'kinds' });
      const lines = tokens.map((line) => joinAlike(line.map(({ content, color }) => [content, kindOf(color)])));
      return { code: `export const lines = ${JSON.stringify(lines)};`, moduleType: 'js' };
    },
  };
}

type Piece = [text: string, kind?: string];

/** `string-expression` for `var(--token-string-expression)`, or undefined for plain text. */
const kindOf = (color = '') => /--token-([a-z-]+)/.exec(color)?.[1];

function joinAlike(pieces: [string, string | undefined][]): Piece[] {
  const joined: Piece[] = [];
  for (const [text, kind] of pieces) {
    const last = joined.at(-1);
    // Whitespace joins the previous token.
    if (last && (last[1] === kind || text.trim() === '')) last[0] += text;
    else joined.push(kind ? [text, kind] : [text]);
  }
  return joined;
}
