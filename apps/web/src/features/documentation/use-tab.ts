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
 * The tab of the address; where the address names a place of another one, as the links in errors do, that other one, and
 * the address is made to say so. The place is scrolled to once it is there.
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
    // A second press on the same link leads there again: then only the key is new.
    if (id && key) document.getElementById(id)?.scrollIntoView();
  }, [id, key]);
  return [tab, choose];
}
