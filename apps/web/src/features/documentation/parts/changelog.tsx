import { changelog } from '@uprez/contracts/docs/changelog';
import { formatDay } from '@uprez/contracts/texts/format';
import { RichText } from './rich-text.tsx';

/** The versions of the public API and their changes. */
export const Changelog = () =>
  changelog.map(({ date, version, changes }) => (
    <article key={version} className="grid max-w-2xl gap-2 text-sm">
      <h3 className="font-medium text-base">
        {version} <span className="font-normal text-muted text-sm">{formatDay(date)}</span>
      </h3>
      <ul className="grid list-disc gap-1 pl-5 marker:text-muted">
        {changes.map((change) => (
          <li key={change}>
            <RichText>{change}</RichText>
          </li>
        ))}
      </ul>
    </article>
  ));
