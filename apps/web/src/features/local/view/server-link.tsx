import { preferServer } from '../../../lib/images/processing-place.ts';
import { paths } from '../../../site-map.ts';
import { localMessages as text } from '../messages.ts';

const inText = 'whitespace-nowrap underline underline-offset-4 hover:text-ink';

/** Opens the image on the home page, which keeps it. A full load, because documents for the home page aren't isolated. */
export const ServerLink = ({ className = inText }: { className?: string }) => (
  <a href={paths.home} className={className} onClick={preferServer}>
    {text.server}
  </a>
);
