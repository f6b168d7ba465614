import * as z from 'zod';
import { type Snake, snake } from './snake.ts';

type SnakeShape<Shape extends z.ZodRawShape> = {
  -readonly [Name in keyof Shape & string as Snake<Name>]: Shape[Name];
};

/** Renames the fields of a schema to snake_case, at the top level only. */
export function snakeObject<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const fields = Object.entries(shape).map(([name, field]) => [snake(name), field]);
  // TypeScript can't infer key names through Object.fromEntries.
  return z.object(Object.fromEntries(fields)) as unknown as z.ZodObject<SnakeShape<Shape>>;
}
