import { CodePanel, PanelTitle } from '../../../ui/code/code-panel.tsx';
import { mapText, plainLines } from '../../../ui/code/lines.ts';
import { fillIn, placeholders } from '../../../ui/code/placeholders.ts';
import { useReader } from '../../../ui/code/reader.ts';
import { documentationMessages } from '../messages.ts';
import { Paragraphs } from '../parts/rich-text.tsx';
import { Section } from '../parts/section.tsx';
import { findSdkExample, type SdkName, sdkNames, sdks } from '../sdk-examples.ts';

const text = documentationMessages.sdks;

function SdkCode({ name }: { name: SdkName }) {
  const { address } = useReader();
  const { title } = text.packages[name];
  const lines = findSdkExample(name);
  const filled = { address, key: placeholders.key };
  return (
    <>
      <CodePanel
        name={`${text.install}, ${title}`}
        title={<PanelTitle>{text.install}</PanelTitle>}
        lines={plainLines(sdks[name].install)}
      />
      {lines && (
        <CodePanel
          name={`${text.use}, ${title}`}
          title={<PanelTitle>{text.use}</PanelTitle>}
          lines={mapText(lines, (piece) => fillIn(piece, filled))}
        />
      )}
    </>
  );
}

function CliCode() {
  const { address } = useReader();
  const commands = fillIn(text.cli.commands, { address, key: placeholders.key });
  const panels = [
    [text.install, text.cli.install],
    [text.cli.use, commands],
  ] as const;
  return panels.map(([title, code]) => (
    <CodePanel
      key={title}
      name={`${title}, ${text.cli.title}`}
      title={<PanelTitle>{title}</PanelTitle>}
      lines={plainLines(code)}
    />
  ));
}

/** The SDKs and the command line tool. */
export function SdksTab() {
  return (
    <>
      <div className="pb-8">
        <Paragraphs text={text.lead} />
      </div>
      {sdkNames.map((name) => {
        const { title, needs } = text.packages[name];
        return (
          <Section key={name} id={`sdk-${name}`} title={title} label={title} aside={<SdkCode name={name} />}>
            <Paragraphs text={`${needs}\n\n${text.published(`packages/sdk-${name}`)}`} />
          </Section>
        );
      })}
      <Section id="cli" title={text.cli.title} label={text.cli.title} aside={<CliCode />}>
        <Paragraphs text={`${text.cli.text}\n\n${text.published('packages/cli')}`} />
      </Section>
    </>
  );
}
