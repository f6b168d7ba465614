import { type Answer, type Parameter, type Reference, refer } from './open-api.ts';

/** Components that several operations share, collected while the operations are made. */
export type Parts = {
  publicUrl: string;
  parameters: Record<string, Parameter>;
  responses: Record<string, Answer>;
  share: (key: string, parameter: Parameter) => Reference;
  shareAnswer: (status: number, answer: Answer) => Reference;
};

export function openParts(publicUrl: string): Parts {
  const parameters: Record<string, Parameter> = {};
  const responses: Record<string, Answer> = {};
  const names = new Map<string, string>();
  return {
    publicUrl,
    parameters,
    responses,
    share: (key, parameter) => {
      parameters[key] = parameter;
      return refer('parameters', key);
    },
    shareAnswer: (status, answer) => {
      const text = JSON.stringify(answer);
      const same = [...names.values()].filter((name) => name.startsWith(`Error${status}`)).length;
      const name = names.get(text) ?? `Error${status}${same === 0 ? '' : `-${same + 1}`}`;
      names.set(text, name);
      responses[name] = answer;
      return refer('responses', name);
    },
  };
}
