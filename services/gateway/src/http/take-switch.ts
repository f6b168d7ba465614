import { AppError } from '@uprez/contracts/errors/app-error';
import { camelCase, type Fields, readSwitch } from '@uprez/contracts/recipe/parse-recipe';

/** A yes-or-no field in any spelling of its name, and the fields without it. Throws `invalid_parameter` for two of them. */
export function takeSwitch(fields: Fields, name: string): { value: boolean | undefined; rest: Fields } {
  const [first, second] = fields.filter(([sent]) => camelCase(sent) === name);
  if (second)
    throw new AppError('invalid_parameter', { detail: `"${second[0]}" was sent more than once.`, param: second[0] });
  return {
    value: first && readSwitch(...first),
    rest: fields.filter((field) => field !== first),
  };
}
