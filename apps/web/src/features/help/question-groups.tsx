import type { HelpCenter } from '@uprez/contracts/schemas/content/help';
import { helpPath } from '@uprez/contracts/texts/pages';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { ArticleHtml } from '../../ui/article/article-html.tsx';
import { linkStyle } from '../../ui/controls/button.tsx';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { helpMessages as text } from './messages.ts';
import { VoteForm } from './vote-form.tsx';

type Group = HelpCenter['groups'][number];

const Question = ({ title, slug, html }: Group['questions'][number]) => (
  <details className="group">
    <summary className="control flex cursor-pointer list-none items-center gap-2 py-3 font-medium hover:text-muted [&::-webkit-details-marker]:hidden">
      <ChevronRight
        aria-hidden="true"
        strokeWidth={1.75}
        className="size-4 shrink-0 text-muted transition-[rotate] group-open:rotate-90"
      />
      <span className="min-w-0 wrap-anywhere">{title}</span>
    </summary>
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pb-5 pl-6">
      <ArticleHtml html={html} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <VoteForm slug={slug} />
        <Link to={helpPath(slug)} className={linkStyle}>
          {text.link}
        </Link>
      </div>
    </div>
  </details>
);

/** Questions by category. An answer is shown after a press on its question. */
export function QuestionGroups({ groups }: Pick<HelpCenter, 'groups'>) {
  if (groups.length === 0) return <EmptyState {...text.noQuestions} illustration={<NoActivityArt />} />;
  return (
    <div className="grid gap-8">
      {groups.map(({ slug, name, questions }) => (
        <section key={slug} aria-labelledby={`group-${slug}`} className="grid gap-2">
          <h2 id={`group-${slug}`} className="text-lg wrap-anywhere">
            {name}
          </h2>
          <ul className="grid divide-y divide-line border-line border-y">
            {questions.map((question) => (
              <li key={question.slug}>
                <Question {...question} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
