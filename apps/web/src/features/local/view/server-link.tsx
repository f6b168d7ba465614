import { paths } from '../../../site-map.ts';
import { localMessages as text } from '../messages.ts';

/** Opens the image on the home page, which keeps it. A full load, because documents for the home page aren't isolated. */
export const ServerLink = () => (
  <a href={paths.home} className="whitespace-nowrap underline underline-offset-4 hover:text-ink">
    {text.server}
  </a>
);
