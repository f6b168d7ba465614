import { BookOpen, type LucideIcon, MessageSquare } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../../site-map.ts';
import { helpMessages } from './messages.ts';

const text = helpMessages.cards;
const cards: readonly { to: string; icon: LucideIcon; title: string; text: string }[] = [
  { to: paths.contact, icon: MessageSquare, ...text.contact },
  { to: paths.documentation, icon: BookOpen, ...text.documentation },
];

/** Links to other help. */
export const HelpCards = () => (
  <ul aria-label={text.label} className="grid gap-3 sm:grid-cols-2">
    {cards.map(({ to, icon: Icon, title, text: description }) => (
      <li key={to} className="grid">
        <Link
          to={to}
          className="flex min-h-11 items-start gap-3 rounded-card border border-line bg-surface p-4 hover:bg-sunken sm:p-5"
        >
          <Icon aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-5 shrink-0 text-muted" />
          <span className="grid min-w-0 gap-0.5">
            <span className="font-medium">{title}</span>
            <span className="text-muted text-sm">{description}</span>
          </span>
        </Link>
      </li>
    ))}
  </ul>
);
