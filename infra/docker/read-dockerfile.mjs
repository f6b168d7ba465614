import fs from 'node:fs';

/**
 * Returns the instructions of a Dockerfile in order: `{ line, instruction, text, words }`. Joins continued lines and skips
 * comments. Throws on flags of RUN (mounts, networks) and on heredocs.
 */
export function readDockerfile(file) {
  const steps = [];
  let pending = '';
  let start = 0;
  for (const [index, raw] of fs.readFileSync(file, 'utf8').split('\n').entries()) {
    const text = raw.trim();
    if (text === '' || text.startsWith('#')) continue;
    if (pending === '') start = index + 1;
    pending += text.endsWith('\\') ? `${text.slice(0, -1)} ` : text;
    if (text.endsWith('\\')) continue;
    steps.push(parseStep(pending, start));
    pending = '';
  }
  return steps;
}

function parseStep(joined, line) {
  const [, name, text] = /^(\S+)\s+(.*)$/.exec(joined) ?? [];
  const isCopy = /^copy$/i.test(name ?? '');
  if (!name || (!isCopy && /^--|<</.test(text))) throw new Error(`line ${line}: cannot read ${joined}`);
  const instruction = name.toUpperCase();
  return { line, instruction, text, words: text.split(/\s+/) };
}
