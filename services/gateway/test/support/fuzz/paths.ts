import fc from 'fast-check';
import { brokenText } from './broken.ts';

/** Encodes a text as a segment of a path. */
export const encode = (text: string) =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('.', '%2E');

/** Returns a placeholder for an ID of this kind, filled when the request is sent. */
export const tokenOf = (kind: string, at: number) => `{${kind}#${at}}`;

const strange = fc.oneof(
  // Without a text, it is the path of another endpoint.
  brokenText.filter((text) => text !== '').map((text) => encode(text.slice(0, 4_000))),
  fc.constantFrom('%ff', '%', '%00', '*', 'a/b', ';', '%2f%2e%2e'),
);

/** Generates paths with tokens for existing IDs, missing IDs, or invalid IDs. */
export function pathOf(path: string, isValid: boolean): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
  const there = fc.nat(1_000).map((at) => tokenOf(path.replace(/^\/v1/, '').replace(/[{}]/g, ''), at));
  if (names.length === 0) return fc.constant(path);
  const value = isValid ? fc.uuid() : fc.oneof(fc.uuid(), strange);
  const other = fc
    .tuple(...names.map(() => value))
    .map((values) => names.reduce((told, name, at) => told.replace(name, () => values[at] ?? ''), path));
  return fc.oneof({ weight: isValid ? 9 : 4, arbitrary: there }, { weight: isValid ? 1 : 4, arbitrary: other });
}
