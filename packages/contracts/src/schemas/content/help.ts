import * as z from 'zod';
import { helpLimits } from '../../policy/articles.ts';
import { requiredLineSchema } from '../user.ts';
import { articleSeoSchema } from './articles.ts';

/** Part of a string that was searched. `isMatch`: whether the part matches the search term. */
export const textPartSchema = z.object({ text: z.string(), isMatch: z.boolean() });
export type TextPart = z.infer<typeof textPartSchema>;

/** A question with its answer. `html` is rendered from Markdown and is safe to display. */
export const helpQuestionSchema = z.object({ title: z.string(), slug: z.string(), html: z.string() });
export const helpCardSchema = z.object({
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  category: z.string().nullable(),
  readingMinutes: z.int(),
});
export type HelpCard = z.infer<typeof helpCardSchema>;

/** Questions by category, and popular articles, both in the order set by administrators. */
export const helpCenterSchema = z.object({
  groups: z.array(z.object({ name: z.string(), slug: z.string(), questions: z.array(helpQuestionSchema) })),
  popular: z.array(helpCardSchema),
});
export type HelpCenter = z.infer<typeof helpCenterSchema>;

export const helpArticleSchema = helpCardSchema.extend({
  html: z.string(),
  updatedAt: z.iso.datetime(),
  seo: articleSeoSchema,
});
export type HelpArticle = z.infer<typeof helpArticleSchema>;

const { searchLength } = helpLimits;
export const searchTextSchema = requiredLineSchema('Enter a search term.').max(
  searchLength,
  `Search can't be longer than ${searchLength} characters.`,
);
export const helpSearchQuerySchema = z.object({ q: searchTextSchema });
/** `suggestion`: corrected search term that `results` are for, if the original term had no results. Otherwise null. */
export const helpSearchSchema = z.object({
  results: z.array(
    helpCardSchema.pick({ slug: true, category: true }).extend({
      title: z.array(textPartSchema),
      excerpt: z.array(textPartSchema),
    }),
  ),
  suggestion: z.string().nullable(),
});
export type HelpSearch = z.infer<typeof helpSearchSchema>;

export const voteBodySchema = z.strictObject({ helpful: z.boolean() });

/** A term that was searched in the last 90 days. `missed`: searches without results. */
export const searchCountSchema = z.object({
  term: z.string(),
  searches: z.int(),
  missed: z.int(),
  lastDay: z.iso.date(),
});
export type SearchCount = z.infer<typeof searchCountSchema>;
export const searchCountsQuerySchema = z.object({ missed: z.enum(['true', 'false']).default('false') });

/** Votes on whether an article was helpful, from the last 90 days. */
export const voteCountSchema = z.object({ id: z.uuid(), title: z.string(), yes: z.int(), no: z.int() });
export type VoteCount = z.infer<typeof voteCountSchema>;
