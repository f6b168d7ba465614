// Prints each word of the tracked and new files that language/terms.mjs replaces. Exit code 1 when there is one.
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ignored, terms, texts, textTerms } from './language/terms.mjs';
import { rootDir } from './run.mjs';

const matches = (path) => (pattern) => pattern.test(path);

/** Splits names into lower-case words: `jobLease` and `JOB_LEASE` are "job lease". */
const toWords = (line) =>
  line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase();

function checkFile(path) {
  const full = join(rootDir, path);
  if (!lstatSync(full, { throwIfNoEntry: false })?.isFile()) return [];
  const list = texts.some(matches(path)) ? [...terms, ...textTerms] : terms;
  const lines = [path, ...readFileSync(full, 'utf8').split('\n')];
  return lines.flatMap((line, index) =>
    list.flatMap(([pattern, instead, allowed]) => {
      const found = !allowed?.test(line) && toWords(line).match(pattern);
      return found ? [`${path}:${index}: "${found[0]}": write ${instead}`] : [];
    }),
  );
}

const listFiles = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', listFiles, { cwd: rootDir, encoding: 'utf8' }).split('\0').filter(Boolean);
const found = files.filter((path) => !ignored.some(matches(path))).flatMap(checkFile);
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
