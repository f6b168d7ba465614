import { useQuery } from '@tanstack/react-query';
import { helpLimits } from '@uprez/contracts/policy/articles';
import type { HelpCenter } from '@uprez/contracts/schemas/content/help';
import { useSearchParams } from 'react-router';
import { HelpCards } from '../features/help/help-cards.tsx';
import { helpMessages as text } from '../features/help/messages.ts';
import { MoreHelp } from '../features/help/more-help.tsx';
import { PopularArticles } from '../features/help/popular-articles.tsx';
import { helpCenterQuery } from '../features/help/queries.ts';
import { QuestionGroups } from '../features/help/question-groups.tsx';
import { SearchResults } from '../features/help/search-results.tsx';
import { queryClient } from '../lib/api/query-client.ts';
import { useSearchParam } from '../lib/browser/use-search-param.ts';
import { documentTitle } from '../messages.ts';
import { SearchField, searchName } from '../ui/controls/search-field.tsx';
import { QueryView, Skeleton } from '../ui/feedback/query-view.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';
import { Tabs } from '../ui/layout/tabs.tsx';

const tabNames = ['questions', 'popular'] as const;

/** Reads the help center. Errors are shown by the page. */
export async function loadHelpCenter(): Promise<null> {
  await queryClient.prefetchQuery(helpCenterQuery);
  return null;
}

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

/** Search, questions, and popular articles. */
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
