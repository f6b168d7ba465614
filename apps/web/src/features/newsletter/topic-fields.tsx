import { topics as allTopics, type Topic } from '@uprez/contracts/policy/newsletter';
import { topicNames } from '@uprez/contracts/texts/newsletter';
import { useId } from 'react';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { newsletterMessages as text } from './messages.ts';

type TopicFieldsProps = {
  topics: readonly Topic[];
  onChange: (topics: Topic[]) => void;
  error?: string | undefined;
};

/** Asks for topics. */
export function TopicFields({ topics, onChange, error }: TopicFieldsProps) {
  const id = useId();
  return (
    <fieldset className="grid gap-3" aria-describedby={error && id}>
      <legend className="mb-2 font-medium text-sm">{text.topics}</legend>
      {allTopics.map((topic) => (
        <Checkbox
          key={topic}
          label={
            <span className="grid">
              {topicNames[topic]}
              <span className="text-muted text-xs">{text.topicHints[topic]}</span>
            </span>
          }
          checked={topics.includes(topic)}
          onChange={(isChosen) =>
            onChange(allTopics.filter((one) => (one === topic ? isChosen : topics.includes(one))))
          }
        />
      ))}
      {error && (
        <p id={id} className="text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}
