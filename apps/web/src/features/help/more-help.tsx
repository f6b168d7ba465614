import { Link } from 'react-router';
import { useSite } from '../../lib/api/queries.ts';
import { paths } from '../../site-map.ts';
import { buttonStyle, linkStyle } from '../../ui/controls/button.tsx';
import { helpMessages } from './messages.ts';

const text = helpMessages.more;

/** Ways to ask a person. */
export function MoreHelp() {
  const { data: site } = useSite();
  return (
    <section
      aria-labelledby="more-help"
      className="grid justify-items-start gap-3 rounded-card border border-line bg-surface p-5 sm:p-8"
    >
      <h2 id="more-help" className="text-lg">
        {text.title}
      </h2>
      <p className="text-muted">{text.text}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Link to={paths.contact} className={buttonStyle()}>
          {text.contact}
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
