import { helpLimits } from '@uprez/contracts/policy/articles';
import type { HelpArticle, HelpCard, HelpCenter } from '@uprez/contracts/schemas/content/help';
import {
  findPublicArticle,
  listPublicArticles,
  listPublicCards,
  type PublicArticleCard,
} from '@uprez/db/queries/content/public-articles';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';

/**
 * Returns the help center's popular articles, and its questions grouped by category. Featured articles are popular; all
 * others are questions.
 */
export async function getHelpCenter({ db }: Needs<'db'>): Promise<HelpCenter> {
  const [questions, popular] = await Promise.all([
    listPublicArticles(db, { kind: 'help', perCategory: helpLimits.questionsPerGroup }),
    listPublicCards(db, { kind: 'help', featured: true, limit: helpLimits.popular }),
  ]);
  const groups = new Map<string, HelpCenter['groups'][number] & { id: string }>();
  for (const { category, title, slug, html } of questions) {
    if (!category) continue;
    const group = groups.get(category.id) ?? { ...category, questions: [] };
    groups.set(category.id, { ...group, questions: [...group.questions, { title, slug, html }] });
  }
  return {
    groups: [...groups.values()]
      // Oldest category first, because UUIDv7 IDs sort by creation time.
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ id: _, ...group }) => group),
    popular: popular.map(presentCard),
  };
}

/**
 * Returns the public help article that has or had `slug`, with its current slug. Undefined if no public article
 * matches.
 */
export async function findHelpArticle({ db }: Needs<'db'>, slug: string): Promise<HelpArticle | undefined> {
  const found = isSlug(slug) ? await findPublicArticle(db, ['help'], slug.toLowerCase()) : undefined;
  if (!found) return undefined;
  const { html, revisedAt, seo } = found;
  return { ...presentCard(found), html, updatedAt: revisedAt.toISOString(), seo };
}

const presentCard = ({ title, slug, excerpt, category, readingMinutes }: PublicArticleCard): HelpCard => ({
  title,
  slug,
  excerpt,
  category: category?.name ?? null,
  readingMinutes,
});
