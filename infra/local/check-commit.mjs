// Checks the commit message in the given file. Used as a hook: git config core.hooksPath .githooks
import { readFileSync } from 'node:fs';

const MAX_LENGTH = 72;
const types = ['feat', 'fix', 'refactor', 'perf', 'test', 'docs', 'build', 'ci', 'chore', 'revert'];
const format = new RegExp(`^(${types.join('|')})(\\([a-z0-9-]+(, ?[a-z0-9-]+)*\\))?!?: \\S`);
/** Messages that git itself writes. */
const generated = /^(Merge |Revert "|fixup! |squash! |amend! )/;

function listErrors(message) {
  const [title = '', second = ''] = message.split('\n').filter((line) => !line.startsWith('#'));
  if (generated.test(title)) return [];
  return [
    title.length > MAX_LENGTH && `The first line has ${title.length} characters. Use at most ${MAX_LENGTH}.`,
    !format.test(title) &&
      `Start with a type, such as "feat(gateway): accept HEIC uploads". Types: ${types.join(', ')}.`,
    title.endsWith('.') && 'Remove the period at the end of the first line.',
    second !== '' && 'Leave the second line empty.',
  ].filter(Boolean);
}

const errors = listErrors(readFileSync(process.argv[2], 'utf8'));
for (const error of errors) console.error(error);
process.exitCode = errors.length > 0 ? 1 : 0;
