import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
/** Links of the first articles lead to pages of the site. Tests of the domain check them. */
const articles = /^packages\/domain\/(posts|help|pages|positions)\//;
const documents = git('ls-files', '--cached', '--others', '--exclude-standard', '*.md').filter(
  (file) => existsSync(path.join(root, file)) && !articles.test(file),
);

/** Returns the targets of relative links, and source paths in code marks, as absolute paths. */
function listTargets(document: string): string[] {
  const text = readFileSync(path.join(root, document), 'utf8');
  // Code shows how links are written.
  const prose = text.replaceAll(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, to = '']) =>
    path.join(root, path.dirname(document), to),
  );
  const sources = [...text.matchAll(/`((?:apps|services|packages|infra|docs)\/[\w./-]+)`/g)].map(([, to = '']) =>
    path.join(root, to),
  );
  return [...links, ...sources];
}

it.each(documents)('every link and source path in %s exists', (document) => {
  expect(listTargets(document).filter((target) => !target.includes('/dist') && !existsSync(target))).toEqual([]);
});
