import * as z from 'zod';
import { type Snake, snake } from './snake.ts';

type SnakeShape<Shape extends z.ZodRawShape> = {
  -readonly [Name in keyof Shape & string as Snake<Name>]: Shape[Name];
};

/** The same fields as the public API names them. What lies inside a field stays as it is. */
export function snakeObject<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const fields = Object.entries(shape).map(([name, field]) => [snake(name), field]);
  // No compiler follows names through a list of pairs.
  return z.object(Object.fromEntries(fields)) as unknown as z.ZodObject<SnakeShape<Shape>>;
}
