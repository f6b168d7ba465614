import { labels, otherLabels, terms, texts, textTerms } from './terms.mjs';

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

/** Finds sentences and labels about units of quota. Names may contain the word, and lengths have a unit. */
function checkUnits(line) {
  if (/\bunit: 'Unit'/.test(line)) return [];
  const values = line.replace(/'[^']*'(?=:)/g, '');
  const quoted = [...values.matchAll(/'([^']*)'|"([^"]*)"|`([^`]*)`/g)].map(([, ...parts]) => parts.join(''));
  const sentences = quoted
    .map((text) => text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, ''))
    .filter((text) => /^[A-Z]| /.test(text));
  return sentences.some((text) => /\bunits?\b/i.test(text)) ? ['"unit": write credit, image'] : [];
}

/** Describes each word of a file that has another term. */
export function findTerms(path, content) {
  const isText = texts.some(matches(path));
  const list = isText ? [...terms, ...textTerms] : terms;
  return [path, ...content.split('\n')].flatMap((line, index) => {
    const words = list.flatMap(([pattern, instead, allowed]) => {
      const found = !allowed?.test(line) && toWords(line).match(pattern);
      return found ? [`"${found[0]}": write ${instead}`] : [];
    });
    const units = isText && path.endsWith('.ts') ? checkUnits(line) : [];
    return [...words, ...units, ...(isText ? checkLabels(line) : [])].map((problem) => `${path}:${index}: ${problem}`);
  });
}
