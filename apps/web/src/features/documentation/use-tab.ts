import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useUrlChoice } from '../../lib/browser/use-url-choice.ts';
import { tabOf } from './outline-data.ts';
import { linkTo } from './parts/link-to.ts';
import { type TabName, tabNames } from './parts/places.ts';

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
  const [chosen, choose] = useUrlChoice({ name: 'tab', choices: tabNames, fallback: tabNames[0], remembered: true });
  const id = decode(hash);
  const tab = tabOf(id) ?? chosen;
  useEffect(() => {
    if (tab !== chosen) void navigate(linkTo({ tab, id }), { replace: true, preventScrollReset: true });
  }, [tab, chosen, id, navigate]);
  useEffect(() => {
    // Clicking the same link again changes only the key.
    if (id && key) document.getElementById(id)?.scrollIntoView();
  }, [id, key]);
  return [tab, choose];
}
