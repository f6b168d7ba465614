import fc from 'fast-check';
import { brokenText } from './broken.ts';

/** A text as a part of an address. */
export const encode = (text: string) =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('.', '%2E');

/** What stands for something that is there when the call is made: one of its kind. */
export const tokenOf = (kind: string, at: number) => `{${kind}#${at}}`;

const strange = fc.oneof(
  brokenText.map((text) => encode(text.slice(0, 4_000))),
  fc.constantFrom('%ff', '%', '%00', '*', 'a/b', ';', '%2f%2e%2e'),
);

/** The address of a call, its names filled with tokens for what is there, ids of nothing, or what is no id. */
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
