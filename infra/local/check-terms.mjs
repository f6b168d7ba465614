// Prints each word of the tracked and new files that language/terms.mjs replaces. Exit code 1 when there is one.
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ignored, labels, otherLabels, terms, texts, textTerms } from './language/terms.mjs';
import { rootDir } from './run.mjs';

const matches = (path) => (pattern) => pattern.test(path);

/** Splits names into lower-case words: `jobLease` and `JOB_LEASE` are "job lease". */
const toWords = (line) =>
  line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase();

const labelOf = new Map([...labels.map((label) => [label.toLowerCase(), label]), ...Object.entries(otherLabels)]);

/** Finds texts in quotes, or between tags, that are a label in another spelling. */
function checkLabels(line) {
  return [...line.matchAll(/(?<=: ?|[(,[] ?|^\s*)(['"])([A-Z][A-Za-z ]*)\1/g)].flatMap(([, , text]) => {
    const label = labelOf.get(text.toLowerCase());
    return label && label !== text ? [`"${text}": write ${label}`] : [];
  });
}

function checkFile(path) {
  const full = join(rootDir, path);
  if (!lstatSync(full, { throwIfNoEntry: false })?.isFile()) return [];
  const isText = texts.some(matches(path));
  const list = isText ? [...terms, ...textTerms] : terms;
  const lines = [path, ...readFileSync(full, 'utf8').split('\n')];
  return lines.flatMap((line, index) => {
    const words = list.flatMap(([pattern, instead, allowed]) => {
      const found = !allowed?.test(line) && toWords(line).match(pattern);
      return found ? [`"${found[0]}": write ${instead}`] : [];
    });
    return [...words, ...(isText ? checkLabels(line) : [])].map((problem) => `${path}:${index}: ${problem}`);
  });
}

const listFiles = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', listFiles, { cwd: rootDir, encoding: 'utf8' }).split('\0').filter(Boolean);
const found = files.filter((path) => !ignored.some(matches(path))).flatMap(checkFile);
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
