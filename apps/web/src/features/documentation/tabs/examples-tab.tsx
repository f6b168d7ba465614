import { Example } from '../../../ui/code/example.tsx';
import { exampleNames } from '../../../ui/code/example-names.ts';
import { codeMessages as text } from '../../../ui/code/messages.ts';
import { Paragraphs } from '../parts/rich-text.tsx';
import { Section } from '../parts/section.tsx';

/** Complete example programs. */
export const ExamplesTab = () =>
  exampleNames.map((name) => (
    <Section
      key={name}
      id={name}
      title={text.examples[name].title}
      label={text.examples[name].title}
      aside={<Example name={name} />}
    >
      <Paragraphs text={text.examples[name].text} />
    </Section>
  ));
