import { CodePanel, PanelTitle } from './code-panel.tsx';
import { linesOfJson } from './lines.ts';

/** A value as the API answers it. */
export function JsonPanel({ title, value }: { title: string; value: unknown }) {
  return <CodePanel name={title} title={<PanelTitle>{title}</PanelTitle>} lines={linesOfJson(value)} />;
}
