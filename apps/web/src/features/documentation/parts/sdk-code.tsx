import { CodePanel, PanelTitle } from '../../../ui/code/code-panel.tsx';
import { mapText, plainLines } from '../../../ui/code/lines.ts';
import { fillIn, placeholders } from '../../../ui/code/placeholders.ts';
import { useReader } from '../../../ui/code/reader.ts';
import { documentationMessages } from '../messages.ts';
import { findSdkExample, type SdkName, sdks } from '../sdk-examples.ts';

const text = documentationMessages.sdks;

/** How to install and use an SDK. */
export function SdkCode({ name }: { name: SdkName }) {
  const { address } = useReader();
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
          lines={mapText(lines, (piece) => fillIn(piece, filled))}
        />
      )}
    </>
  );
}

/** How to install and use the command line. */
export function CliCode() {
  const { address } = useReader();
  const commands = fillIn(text.cli.commands, { address, key: placeholders.key });
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
