import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { CardPage } from '../../../ui/layout/page-heading.tsx';
import { adminMessages } from '../messages.ts';

const text = adminMessages.denied;

export function AccessDenied() {
  return (
    <CardPage title={adminMessages.title(text.title)} heading={text.title}>
      <p className="text-muted text-sm">{text.text}</p>
      <Link to={paths.home} className={buttonStyle({ className: 'justify-self-start' })}>
        {text.home}
      </Link>
    </CardPage>
  );
}
