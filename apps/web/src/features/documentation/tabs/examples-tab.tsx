import { documentationMessages as text } from '../../../messages/documentation.ts';
import { Example } from '../code/example.tsx';
import { exampleNames } from '../code/example-names.ts';
import { Paragraphs } from '../parts/rich-text.tsx';
import { Section } from '../parts/section.tsx';

/** What programs want to do, each as a whole program. */
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
