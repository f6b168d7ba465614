/**
 * Meanings of fidelity scores, best first. `from`: the lowest score of a level. On the sample photos and drawings,
 * `standard` scores 99-100 and `photo-fast` 91-99, because models smooth noise and redraw fine detail.
 */
export const fidelityLevels = [
  { from: 98, meaning: 'At the same size, the result looks the same as the original.' },
  { from: 90, meaning: 'At the same size, the result matches the original except for fine detail, such as noise.' },
  { from: 75, meaning: 'At the same size, some details of the result differ from the original.' },
  { from: 0, meaning: 'At the same size, the result looks different from the original. Try another engine.' },
] as const;

/** Returns the meaning of a score from 0 to 100 as a sentence. */
export const describeFidelity = (score: number): string =>
  fidelityLevels.find(({ from }) => score >= from)?.meaning ?? fidelityLevels[3].meaning;

/** Tokens of the naming pattern for files in a ZIP archive. */
export const namingTokens = ['name', 'factor', 'width', 'height', 'index', 'ext'] as const;
export type NamingToken = (typeof namingTokens)[number];
export const defaultNaming = '{name}-{factor}x.{ext}';

/** Returns the suffix of a result's name. Empty if the scale is unchanged. */
export const factorSuffix = (factor: number): string => (factor === 1 ? '' : `-${factor}x`);

/** Returns the naming pattern for an image. The default pattern omits the factor if the scale is unchanged. */
export const resolveNaming = (pattern: string, factor: string | number): string =>
  pattern === defaultNaming && factor === 1 ? '{name}.{ext}' : pattern;
