/** A token of a line with its kind, see `kindStyles`. */
export type Piece = readonly [text: string, kind?: string];
export type Lines = readonly (readonly Piece[])[];

export const toPlainText = (lines: Lines): string =>
  lines.map((line) => line.map(([text]) => text).join('')).join('\n');

export const mapText = (lines: Lines, change: (text: string) => string): Lines =>
  lines.map((line) => line.map(([text, kind]) => [change(text), kind] as const));

const jsonTokenPattern = /"(?:[^"\\]|\\.)*"(?=\s*:)|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;

function splitJsonLine(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: text, index } of line.matchAll(jsonTokenPattern)) {
    if (index > end) pieces.push([line.slice(end, index)]);
    end = index + text.length;
    const isName = /^\s*:/.test(line.slice(end));
    pieces.push([text, isName ? 'function' : text.startsWith('"') ? 'string' : 'constant']);
  }
  if (end < line.length) pieces.push([line.slice(end)]);
  return pieces;
}

export const highlightJson = (value: unknown): Lines => JSON.stringify(value, null, 2).split('\n').map(splitJsonLine);

export const toPlainLines = (text: string): Lines => text.split('\n').map((line) => [[line]]);
