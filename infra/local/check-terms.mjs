// Prints each word of the tracked and new files that language/terms.mjs replaces. Exit code 1 when there is one.
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTerms } from './language/find-terms.mjs';
import { ignored } from './language/terms.mjs';
import { rootDir } from './run.mjs';

function checkFile(path) {
  const full = join(rootDir, path);
  return lstatSync(full, { throwIfNoEntry: false })?.isFile() ? findTerms(path, readFileSync(full, 'utf8')) : [];
}

const listFiles = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', listFiles, { cwd: rootDir, encoding: 'utf8' }).split('\0').filter(Boolean);
const found = files.filter((path) => !ignored.some((pattern) => pattern.test(path))).flatMap(checkFile);
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
