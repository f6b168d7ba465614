import { useQuery } from '@tanstack/react-query';
import { helpLimits } from '@uprez/contracts/policy/articles';
import type { HelpCenter, HelpSearch, TextPart } from '@uprez/contracts/schemas/content/help';
import { helpPath, sitePaths } from '@uprez/contracts/texts/site/pages';
import { BookOpen, ChevronRight, type LucideIcon, MessageSquare } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { useSite } from '../../lib/api/queries.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { documentTitle } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { ArticleHtml } from '../../ui/article/article-html.tsx';
import { buttonStyle, linkStyle } from '../../ui/controls/button.tsx';
import { SearchField, searchName } from '../../ui/controls/search-field.tsx';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { helpCenterQuery, helpSearchQuery, PopularArticles } from './help-articles.tsx';
import { helpMessages as text } from './messages.ts';
import { VoteForm } from './vote-form.tsx';

/** Loads the help center. Errors are left to the page, which shows them. */
export async function loadHelpCenter(): Promise<null> {
  await queryClient.prefetchQuery(helpCenterQuery);
  return null;
}

export function HelpCenterPage() {
  const [params] = useSearchParams();
  const search = (params.get(searchName) ?? '').trim().slice(0, helpLimits.searchLength);
  const query = useQuery(helpCenterQuery);
  return (
    <div className="mx-auto grid w-full max-w-240 grid-cols-[minmax(0,1fr)] content-start gap-8 px-4 py-10 sm:px-6 md:py-16">
      <div className="grid gap-2">
        <PageHeading title={documentTitle(text.title)} className="text-xl sm:text-2xl">
          {text.title}
        </PageHeading>
        <p className="text-muted">{text.lead}</p>
      </div>
      <search>
        <SearchField label={text.search} maxLength={helpLimits.searchLength} />
      </search>
      {search ? (
        <SearchResults search={search} />
      ) : (
        <>
          <HelpCards />
          <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
            {(center) => <Topics center={center} />}
          </QueryView>
        </>
      )}
      <MoreHelp />
    </div>
  );
}

const tabNames = ['questions', 'popular'] as const;

function Topics({ center: { groups, popular } }: { center: HelpCenter }) {
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabNames, fallback: 'questions' });
  return (
    <Tabs
      label={text.tabsLabel}
      value={tab}
      onChange={setTab}
      tabs={[
        { value: 'questions', label: text.tabs.questions, content: <QuestionGroups groups={groups} /> },
        { value: 'popular', label: text.tabs.popular, content: <PopularArticles articles={popular} /> },
      ]}
    />
  );
}

type Group = HelpCenter['groups'][number];

const Question = ({ title, slug, html }: Group['questions'][number]) => (
  <details className="group">
    <summary className="control flex cursor-pointer list-none items-center gap-2 py-3 font-medium hover:text-muted [&::-webkit-details-marker]:hidden">
      <ChevronRight
        aria-hidden="true"
        strokeWidth={1.75}
        className="size-4 shrink-0 text-muted transition-[rotate] group-open:rotate-90"
      />
      <span className="min-w-0 wrap-anywhere">{title}</span>
    </summary>
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pb-5 pl-6">
      <ArticleHtml html={html} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <VoteForm slug={slug} />
        <Link to={helpPath(slug)} className={linkStyle}>
          {text.link}
        </Link>
      </div>
    </div>
  </details>
);

function QuestionGroups({ groups }: Pick<HelpCenter, 'groups'>) {
  if (groups.length === 0) return <EmptyState {...text.noQuestions} illustration={<NoActivityArt />} />;
  return (
    <div className="grid gap-8">
      {groups.map(({ slug, name, questions }) => (
        <section key={slug} aria-labelledby={`group-${slug}`} className="grid gap-2">
          <h2 id={`group-${slug}`} className="text-lg wrap-anywhere">
            {name}
          </h2>
          <ul className="grid divide-y divide-line border-line border-y">
            {questions.map((question) => (
              <li key={question.slug}>
                <Question {...question} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const HighlightedText = ({ parts }: { parts: readonly TextPart[] }) =>
  parts.map(({ text: part, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className="rounded-xs bg-accent/20 text-ink">
        {part}
      </mark>
    ) : (
      part
    ),
  );

const Results = ({ results }: Pick<HelpSearch, 'results'>) => (
  <ul className="grid divide-y divide-line border-line border-t">
    {results.map(({ slug, title, excerpt, category }) => (
      <li key={slug} className="grid gap-1 py-4">
        <h2 className="text-base wrap-anywhere">
          <Link to={helpPath(slug)} className="underline-offset-4 hover:underline">
            <HighlightedText parts={title} />
          </Link>
        </h2>
        <p className="text-muted text-sm wrap-anywhere">
          <HighlightedText parts={excerpt} />
        </p>
        {category && <p className="text-muted text-xs">{category}</p>}
      </li>
    ))}
  </ul>
);

/**
 * Shows search results. If nothing matches the search, the server may correct it. The corrected search is then shown as
 * a suggestion.
 */
function SearchResults({ search }: { search: string }) {
  const query = useQuery(helpSearchQuery(search));
  const { data } = query;
  return (
    <section aria-label={text.search} className="grid gap-3">
      <p role="status" className="text-muted text-sm">
        {data && (data.results.length === 0 ? text.noResults.title : text.results(data.results.length))}
      </p>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-48 rounded-card" />}
        isEmpty={({ results }) => results.length === 0}
        empty={
          <EmptyState
            title={text.noResults.title}
            text={text.noResults.text}
            action={
              <div className="flex flex-wrap justify-center gap-2">
                <Link to={sitePaths.help} className={buttonStyle({ look: 'secondary' })}>
                  {text.noResults.browse}
                </Link>
                <Link to={sitePaths.contact} className={buttonStyle({ look: 'secondary' })}>
                  {text.more.contact}
                </Link>
              </div>
            }
            illustration={<NoActivityArt />}
          />
        }
      >
        {({ results, suggestion }) => (
          <>
            {suggestion && (
              <p>
                {text.suggestion}{' '}
                <Link
                  to={`${sitePaths.help}?${new URLSearchParams({ [searchName]: suggestion })}`}
                  className="font-medium underline underline-offset-4"
                >
                  {`${suggestion}?`}
                </Link>
              </p>
            )}
            <Results results={results} />
          </>
        )}
      </QueryView>
    </section>
  );
}

const cardsText = text.cards;

const cards: readonly { to: string; icon: LucideIcon; title: string; text: string }[] = [
  { to: paths.contact, icon: MessageSquare, ...cardsText.contact },
  { to: paths.documentation, icon: BookOpen, ...cardsText.documentation },
];

const HelpCards = () => (
  <ul aria-label={cardsText.label} className="grid gap-3 sm:grid-cols-2">
    {cards.map(({ to, icon: Icon, title, text: description }) => (
      <li key={to} className="grid">
        <Link
          to={to}
          className="flex min-h-11 items-start gap-3 rounded-card border border-line bg-surface p-4 hover:bg-sunken sm:p-5"
        >
          <Icon aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-5 shrink-0 text-muted" />
          <span className="grid min-w-0 gap-0.5">
            <span className="font-medium">{title}</span>
            <span className="text-muted text-sm">{description}</span>
          </span>
        </Link>
      </li>
    ))}
  </ul>
);

const moreText = text.more;

function MoreHelp() {
  const { data: site } = useSite();
  return (
    <section
      aria-labelledby="more-help"
      className="grid justify-items-start gap-3 rounded-card border border-line bg-surface p-5 sm:p-8"
    >
      <h2 id="more-help" className="text-lg">
        {moreText.title}
      </h2>
      <p className="text-muted">{moreText.text}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Link to={paths.contact} className={buttonStyle()}>
          {moreText.contact}
        </Link>
        {site && (
          <a href={`mailto:${site.supportEmail}`} className={`${linkStyle} wrap-anywhere`}>
            {site.supportEmail}
          </a>
        )}
      </div>
    </section>
  );
}
