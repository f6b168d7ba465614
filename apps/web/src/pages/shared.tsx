import { Link, useSearchParams } from 'react-router';
import { shareMessages as text } from '../features/share/messages.ts';
import { SharedImage } from '../features/share/shared-image.tsx';
import { messages } from '../messages.ts';
import { paths } from '../site-map.ts';
import { linkStyle } from '../ui/controls/button.tsx';
import { Notice } from '../ui/feedback/notice.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';

/** Shows a shared result to anyone who has its link. */
export function SharedPage() {
  const [params] = useSearchParams();
  const [id, exp, sig] = ['id', 'exp', 'sig'].map((name) => params.get(name));
  return (
    <div className="mx-auto grid w-full max-w-240 gap-6 px-4 py-8 sm:px-6 md:py-12">
      <PageHeading title={messages.page.shared} className="text-xl sm:text-2xl">
        {text.title}
      </PageHeading>
      {id && Number(exp) > 0 && exp && sig ? (
        <SharedImage id={id} exp={exp} sig={sig} />
      ) : (
        <Notice kind="danger">{text.gone}</Notice>
      )}
      <Link to={paths.home} className={`${linkStyle} justify-self-start px-0!`}>
        {text.own}
      </Link>
    </div>
  );
}
