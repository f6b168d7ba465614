import type { MediaUse } from '@uprez/contracts/schemas/content/media';
import { formatList } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { postPath } from '../frame/admin-paths.ts';
import { fileMessages as text } from './messages.ts';

/** Lists the articles that use a file. Posts link to their editor. */
export const PlacesList = ({ places }: { places: readonly MediaUse[] }) => (
  <ul className="grid gap-2 text-sm">
    {places.map((place) => (
      <li key={place.articleId} className="grid wrap-anywhere">
        <PlaceName place={place} />
        <span className="text-muted text-xs">{formatList(place.fields.map((field) => text.fields[field]))}</span>
      </li>
    ))}
  </ul>
);

function PlaceName({ place: { articleId, kind, title, deleted } }: { place: MediaUse }) {
  const name = title || text.untitled;
  if (deleted) return <span>{`${name} (${text.deletedPlace})`}</span>;
  if (kind !== 'post') return <span>{name}</span>;
  return (
    <Link to={postPath(articleId)} className="font-medium underline decoration-edge underline-offset-4">
      {name}
    </Link>
  );
}
