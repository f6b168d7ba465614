import { CodePanel, PanelTitle } from '../../../ui/code/code-panel.tsx';
import { useExampleValues } from '../../../ui/code/example-values.ts';
import { mapText, plainLines } from '../../../ui/code/lines.ts';
import { fillPlaceholders, placeholders } from '../../../ui/code/placeholders.ts';
import { documentationMessages } from '../messages.ts';
import { findSdkExample, type SdkName, sdks } from '../sdk-examples.ts';

const text = documentationMessages.sdks;

/** How to install and use an SDK. */
export function SdkCode({ name }: { name: SdkName }) {
  const { address } = useExampleValues();
  const title = documentationMessages.sections[`sdk-${name}`];
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
          lines={mapText(lines, (piece) => fillPlaceholders(piece, filled))}
        />
      )}
    </>
  );
}

/** How to install and use the command line. */
export function CliCode() {
  const { address } = useExampleValues();
  const commands = fillPlaceholders(text.cli.commands, { address, key: placeholders.key });
  const panels = [
    [text.install, text.cli.install],
    [text.cli.use, commands],
  ] as const;
  return panels.map(([title, code]) => (
    <CodePanel
      key={title}
      name={`${title}, ${documentationMessages.sections.cli}`}
      title={<PanelTitle>{title}</PanelTitle>}
      lines={plainLines(code)}
    />
  ));
}
