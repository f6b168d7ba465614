import type { Subscription } from '@uprez/contracts/schemas/newsletter/subscribers';
import { topicNames } from '@uprez/contracts/texts/newsletter';
import { serviceNames } from '@uprez/contracts/texts/status';
import { newsletterMessages as text } from './messages.ts';

/** What a subscriber gets. */
export const InterestList = ({ topics, services }: Pick<Subscription, 'topics' | 'services'>) => (
  <ul className="grid gap-3 text-sm">
    {topics.map((topic) => (
      <li key={topic} className="grid">
        <span className="font-medium">{topicNames[topic]}</span>
        <span className="text-muted text-xs">
          {topic === 'status' && services.length > 0
            ? services.map((service) => serviceNames[service]).join(', ')
            : text.topicHints[topic]}
        </span>
      </li>
    ))}
  </ul>
);
