import type { ExampleName } from './example-names.ts';
import { type Language, languages } from './languages.ts';
import type { Lines } from './lines.ts';

const files = import.meta.glob<Lines>('../../examples/*/*', { query: '?code', import: 'lines', eager: true });

export const getExample = (name: ExampleName, language: Language): Lines =>
  files[`../../examples/${language}/${name}.${languages[language].ending}`] ?? [];
