type Scope = Set<string>;

/**
 * The first key that an object in this JSON text has twice; undefined when every key is unique. The text must be valid
 * JSON. `JSON.parse` silently keeps the last value, and its reviver does not see the others.
 */
export function findDuplicateKey(text: string): string | undefined {
  const scopes: Scope[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '{') scopes.push(new Set());
    else if (mark === '}') scopes.pop();
    else if (mark === '"') {
      const end = endOfString(text, at);
      if (isKey(text, end)) {
        const key = JSON.parse(text.slice(at, end + 1)) as string;
        const scope = scopes.at(-1);
        if (scope?.has(key)) return key;
        scope?.add(key);
      }
      at = end;
    }
  }
  return undefined;
}

/** The index of the quote that closes the string opened at `start`; `indexOf` skips megabytes of base64 natively. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Whether a string that ends at `end` is a key: only keys are followed by a colon. */
function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\r\n'.includes(text[at] ?? ']')) at += 1;
  return text[at] === ':';
}
