import { useId, useState } from 'react';
import { Link } from 'react-router';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { documentationMessages } from '../messages.ts';
import { findPlaces, sectionUrl } from '../outline-data.ts';

const text = documentationMessages.search;
const maxResults = 8;

/** Loads the texts of the documentation when `load` is called. Until then, only names are searched. */
function useSectionTexts() {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const load = async () => {
    // If the file couldn't be loaded, the next focus tries again.
    const loaded = await import('virtual:section-texts').catch(() => undefined);
    if (loaded) setTexts(loaded.sectionTexts);
  };
  return { texts, load };
}

export function Search() {
  const [query, setQuery] = useState('');
  const list = useId();
  const { texts, load } = useSectionTexts();
  const found = findPlaces(query, texts);
  const hasQuery = query.trim() !== '';
  return (
    <search className="relative grid gap-1.5">
      <TextField
        label={text.label}
        labelHidden
        type="search"
        placeholder={text.placeholder}
        value={query}
        aria-controls={list}
        onFocus={() => void load()}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
      />
      <p role="status" className="sr-only">
        {hasQuery && (found.length > 0 ? text.results(found.length) : text.none(query.trim()))}
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
                  <span className="text-muted text-xs">{text.kinds[place.kind]}</span>
                  {place.snippet && <span className="text-muted text-xs wrap-anywhere">{place.snippet}</span>}
                </Link>
              </li>
            ))}
          </ul>
        ) : (
          <p className="px-2.5 py-1.5 text-muted text-sm">{text.none(query.trim())}</p>
        )}
      </div>
    </search>
  );
}
