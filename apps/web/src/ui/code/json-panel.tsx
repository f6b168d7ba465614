import { CodePanel, PanelTitle } from './code-panel.tsx';
import { highlightJson } from './lines.ts';

/** A JSON response. */
export function JsonPanel({ title, value }: { title: string; value: unknown }) {
  return <CodePanel name={title} title={<PanelTitle>{title}</PanelTitle>} lines={highlightJson(value)} />;
}
