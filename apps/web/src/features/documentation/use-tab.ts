import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { tabOf } from './outline-data.ts';
import { type TabName, tabNames } from './parts/places.ts';
import { sectionUrl } from './parts/section-url.ts';

const decode = (hash: string) => {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
};

/**
 * Returns the tab of the URL. If the hash is an anchor in another tab, as in links of errors, that tab is selected and the
 * URL is updated. Scrolls to the anchor.
 */
export function useTab(): readonly [TabName, (tab: TabName) => void] {
  const { hash, key } = useLocation();
  const navigate = useNavigate();
  const [chosen, choose] = useSearchParam({ name: 'tab', choices: tabNames, fallback: tabNames[0], addsHistory: true });
  const id = decode(hash);
  const tab = tabOf(id) ?? chosen;
  useEffect(() => {
    if (tab !== chosen) void navigate(sectionUrl({ tab, id }), { replace: true, preventScrollReset: true });
  }, [tab, chosen, id, navigate]);
  useEffect(() => {
    // Clicking the same link again changes only the key.
    if (id && key) document.getElementById(id)?.scrollIntoView();
  }, [id, key]);
  return [tab, choose];
}
