import type { HelpArticle, HelpCenter, HelpSearch } from '@uprez/contracts/schemas/content/help';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/page-titles';
import { helpPath, sitePaths } from '@uprez/contracts/texts/pages';
import { describeAs } from '../../http/web/escape-html.ts';
import type { PageDocument } from '../../http/web/page-document.ts';
import { pageMeta } from '../../http/web/page-head.ts';
import { helpArticleBody, helpCenterBody, helpSearchBody } from './help-bodies.ts';

const title = pageTitles[sitePaths.help];
const head = { title, description: pageDescriptions[sitePaths.help] };
const crumb = { name: title, path: sitePaths.help };

/** The document of the help center, with all questions and answers for search engines. */
export const helpCenterDocument = (center: HelpCenter): PageDocument => ({
  head,
  canonical: sitePaths.help,
  crumbs: [crumb],
  tags: () => describeQuestions(center),
  body: helpCenterBody(title, center),
});

/** Search engines must not list results of searches. */
export const helpSearchDocument = (search: string, found: HelpSearch): PageDocument => ({
  head,
  body: helpSearchBody(title, search, found),
});

/** The document of a help article. */
export function helpArticleDocument(article: HelpArticle): PageDocument {
  const path = helpPath(article.slug);
  return {
    head: {
      title: article.seo.title || article.title,
      description: article.seo.description || article.excerpt || undefined,
    },
    canonical: path,
    crumbs: [crumb, { name: article.title, path }],
    ogType: 'article',
    tags: () => [pageMeta('property', 'article:modified_time', article.updatedAt)],
    body: helpArticleBody(article),
  };
}

function describeQuestions({ groups }: HelpCenter): string[] {
  const mainEntity = groups.flatMap(({ questions }) =>
    questions.map(({ title: name, html }) => ({
      '@type': 'Question',
      name,
      acceptedAnswer: { '@type': 'Answer', text: html },
    })),
  );
  return mainEntity.length > 0 ? [describeAs({ '@type': 'FAQPage', mainEntity })] : [];
}
