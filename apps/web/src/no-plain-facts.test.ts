import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';

const names = Object.values(currentPlans).map(({ name }) => name);
const amounts = String.raw`\$\d+|\$\$\{|(?<=['"])\$(?=['"])`;
const fact = new RegExp(String.raw`\b(?:${names.join('|')})\b|${amounts}`, 'g');

/** Names of plans and dollar amounts in a source file, without comments. */
const findFacts = (source: string): string[] => source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '').match(fact) ?? [];

const folder = path.join(import.meta.dirname, 'features');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(tsx?|mdx)$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.endsWith('messages.ts'))
  .map((file) => path.join(folder, file));

it('finds plan names and prices in a source file', () => {
  expect(findFacts(`const sentence = 'The Pro plan is $7 a month';`)).toEqual(['Pro', '$7']);
  expect(findFacts('<p>{`Enterprise: $149`}</p>')).toEqual(['Enterprise', '$149']);
  expect(findFacts('`$${price}`')).toEqual(['$${']);
  expect(findFacts(`{'$'}{price}`)).toEqual(['$']);
  for (const name of names) expect(findFacts(`<b>${name}</b>`)).toEqual([name]);
});

it('ignores comments and similar words', () => {
  expect(findFacts('// The Pro plan\n/** Free of charge. */\nconst processes = 3;')).toEqual([]);
});

it('finds no plan names and prices in pages and features', () => {
  expect(sources.length).toBeGreaterThan(50);
  const found = sources.flatMap((file) => findFacts(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
});
