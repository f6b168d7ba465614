import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const module = new URL('../../../../infra/local/language/find-terms.mjs', import.meta.url);

/** What the check of terms says about a file. */
const find = (path: string, content: string): string[] => {
  const script = `import { findTerms } from ${JSON.stringify(module.href)};
    console.log(JSON.stringify(findTerms(${JSON.stringify(path)}, ${JSON.stringify(content)})));`;
  return JSON.parse(
    execFileSync('node', ['--input-type=module', '--eval', script], {
      cwd: fileURLToPath(new URL('.', module)),
      encoding: 'utf8',
    }),
  );
};
const texts = 'apps/web/src/features/account/dialog-messages.ts';

it('names the word, its line, and the term to write instead, also within names', () => {
  expect(find('packages/db/src/jobs.ts', 'const one = 1;\nconst jobPicture = 2;\n')).toEqual([
    'packages/db/src/jobs.ts:2: "picture": write image',
  ]);
});

it('checks the words of sentences and the capitals of labels only in what users read', () => {
  const content = "  text: 'Log in so that we know you.',\n  label: 'Sign in',\n";
  expect(find('packages/db/src/jobs.ts', content)).toEqual([]);
  expect(find(texts, content)).toEqual([
    `${texts}:1: "so that": write two sentences`,
    `${texts}:1: "log in": write sign in`,
    `${texts}:2: "Sign in": write Sign In`,
  ]);
});

it('finds units in sentences and labels, but not in names', () => {
  const content = [
    "  title: 'Units',",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is source code.
    '  left: (units: number) => `${units} units left`,',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is source code.
    "  total: (pack: { units: number }) => `${countImages(pack.units, 'ai')} left`,",
    "  units: 'Credits',",
    "  'Grant units': 'Credits',",
  ].join('\n');
  expect(find(texts, content)).toEqual([
    `${texts}:1: "unit": write credit, image`,
    `${texts}:2: "unit": write credit, image`,
  ]);
});
