import { formatField } from '@uprez/contracts/texts/format-field';
import { formatTime } from '../../../lib/format/format.ts';

/** The value of a field in words, with times in the browser's time zone. */
export const formatValue = (field: string, text: string, names?: Readonly<Record<string, string>>): string =>
  formatField(field, text, { names, time: formatTime });
