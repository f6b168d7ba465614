import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { parseReply, post, sendOrUndefined, type WithKey } from './transport/calls.ts';
import { appName, metadataField } from './transport/fields.ts';

export type Product = z.output<typeof productSchema>;
export type ProductInput = WithKey & { productId: string; name: string; description: string };

const productSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    active: z.boolean(),
    metadata: metadataField,
  })
  .transform(({ id, name, description, active, metadata }) => ({
    id,
    name,
    description,
    isActive: active,
    isOurs: metadata.app === appName,
  }));

/** Creates a product with a fixed ID. Stripe rejects a duplicate with `resource_already_exists`. */
export async function createProduct(payments: Payments, input: ProductInput): Promise<Product> {
  const { productId, name, description } = input;
  const reply = await post(payments, input, (stripe, options) =>
    stripe.products.create({ id: productId, name, description, metadata: { app: appName } }, options),
  );
  return parseReply(productSchema, reply);
}

export async function findProduct(payments: Payments, productId: string): Promise<Product | undefined> {
  const reply = await sendOrUndefined(payments, (stripe) => stripe.products.retrieve(productId));
  return reply === undefined ? undefined : parseReply(productSchema, reply);
}

export async function updateProduct(payments: Payments, input: ProductInput): Promise<Product> {
  const { productId, name, description } = input;
  const reply = await post(payments, input, (stripe, options) =>
    stripe.products.update(productId, { name, description, active: true }, options),
  );
  return parseReply(productSchema, reply);
}
