import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import type { User } from '@uprez/contracts/schemas/user';
import { useEffect, useId, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { messages } from '../../messages.ts';
import { chooseExampleKey, type ExampleValues, ExampleValuesContext } from '../../ui/code/example-values.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Outline } from '../../ui/layout/outline.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { useAuth } from '../session/auth-provider.tsx';
import { documentationMessages as text } from './messages.ts';
import { findPlaces, outlines, sectionUrl, type TabName, tabNames, tabOf } from './outline-data.ts';
import { mdxComponents } from './parts/mdx-components.tsx';
import { tabPages } from './tab-pages.ts';

export function DocumentationPage() {
  const { user } = useAuth();
  return (
    <div className="mx-auto grid w-full max-w-300 grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 sm:px-6 sm:py-10">
      <Documentation user={user} />
    </div>
  );
}

function useVisitorValues(user: User | null): ExampleValues {
  const { data = [] } = useQuery<ApiKeyView[]>({ queryKey: [apiRoutes.listApiKeys.path], enabled: user !== null });
  const preview = user ? chooseExampleKey(data)?.keyPreview : undefined;
  return useMemo(() => ({ address: window.location.origin, preview }), [preview]);
}

const decodeHash = (hash: string) => {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
};

/**
 * Returns the tab that the URL selects. If the hash refers to an anchor in another tab, as in links from errors,
 * selects that tab and updates the URL. Scrolls to the anchor.
 */
function useTab(): readonly [TabName, (tab: TabName) => void] {
  const { hash, key } = useLocation();
  const navigate = useNavigate();
  const [chosen, choose] = useSearchParam({ name: 'tab', choices: tabNames, fallback: tabNames[0], addsHistory: true });
  const id = decodeHash(hash);
  const tab = tabOf(id) ?? chosen;
  useEffect(() => {
    if (tab !== chosen) void navigate(sectionUrl({ tab, id }), { replace: true, preventScrollReset: true });
  }, [tab, chosen, id, navigate]);
  useEffect(() => {
    // Depends on the location key, because clicking the same link again changes only that.
    if (!id || !key) return;
    // Waits for a frame, because the panel of another tab is rendered only after the tab is selected.
    const frame = requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView());
    return () => cancelAnimationFrame(frame);
  }, [id, key]);
  return [tab, choose];
}

function Columns({ tab }: { tab: TabName }) {
  const Page = tabPages[tab];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 pt-3 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <div className="sticky top-20 grid max-h-[calc(100dvh-6rem)] content-start gap-4 self-start overflow-y-auto max-lg:hidden">
        <Outline entries={outlines[tab]} linkStyle="min-h-8 rounded-small px-2.5" />
      </div>
      <div className="min-w-0">
        <Page components={mdxComponents} />
      </div>
    </div>
  );
}

function Documentation({ user }: { user: User | null }) {
  const values = useVisitorValues(user);
  const [tab, choose] = useTab();
  return (
    <ExampleValuesContext value={values}>
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-4">
        <div className="grid min-w-0 gap-2">
          <PageHeading title={messages.page.documentation} className="text-xl">
            {text.title}
          </PageHeading>
          <p className="max-w-xl text-pretty text-muted text-sm">{text.lead}</p>
        </div>
        <div className="w-full sm:w-64">
          <Search />
        </div>
      </div>
      <Tabs
        label={text.tabs.label}
        value={tab}
        onChange={choose}
        tabs={tabNames.map((name) => ({ value: name, label: text.tabs[name], content: <Columns tab={name} /> }))}
      />
    </ExampleValuesContext>
  );
}

const searchText = text.search;
const maxResults = 8;

/**
 * Provides the documentation's text for search, once `load` has loaded it. Until then, search covers only labels and
 * search terms.
 */
function useSectionTexts() {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const load = async () => {
    // If the import fails, it is retried when the search field is next focused.
    const loaded = await import('virtual:section-texts').catch(() => undefined);
    if (loaded) setTexts(loaded.sectionTexts);
  };
  return { texts, load };
}

function Search() {
  const [query, setQuery] = useState('');
  const list = useId();
  const { texts, load } = useSectionTexts();
  const found = findPlaces(query, texts);
  const hasQuery = query.trim() !== '';
  return (
    <search className="relative grid gap-1.5">
      <TextField
        label={searchText.label}
        labelHidden
        type="search"
        placeholder={searchText.placeholder}
        value={query}
        aria-controls={list}
        onFocus={() => void load()}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
      />
      <p role="status" className="sr-only">
        {hasQuery && (found.length > 0 ? searchText.results(found.length) : searchText.none(query.trim()))}
      </p>
      <div
        id={list}
        hidden={!hasQuery}
        className="absolute top-full right-0 left-0 z-20 mt-1 min-w-64 rounded-card border border-line bg-surface p-1.5 shadow-layer"
      >
        {found.length > 0 ? (
          <ul>
            {found.slice(0, maxResults).map((place) => (
              <li key={`${place.tab} ${place.id}`}>
                <Link
                  to={sectionUrl(place)}
                  onClick={() => setQuery('')}
                  className="grid min-h-8 content-center rounded-small px-2.5 py-1 text-sm hover:bg-sunken"
                >
                  <span className="wrap-anywhere">{place.label}</span>
                  <span className="text-muted text-xs">{searchText.kinds[place.kind]}</span>
                  {place.snippet && <span className="text-muted text-xs wrap-anywhere">{place.snippet}</span>}
                </Link>
              </li>
            ))}
          </ul>
        ) : (
          <p className="px-2.5 py-1.5 text-muted text-sm">{searchText.none(query.trim())}</p>
        )}
      </div>
    </search>
  );
}
