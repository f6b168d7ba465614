import { articleLimits } from '@uprez/contracts/policy/articles';

/** Minutes that it takes to read so many words, at least one. */
export const readingMinutesOf = (words: number): number => Math.max(1, Math.ceil(words / articleLimits.wordsPerMinute));

/** Counts the words of a Markdown text without parsing it, for drafts that change every few seconds. */
export const countWords = (markdown: string): number => markdown.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
