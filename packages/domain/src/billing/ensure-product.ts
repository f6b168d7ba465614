import { PaymentError } from '@uprez/payments/payment-error';
import { createProduct, findProduct, type Product, type ProductInput, updateProduct } from '@uprez/payments/products';
import type { Needs } from '../context.ts';
import { makeCallKey, type OnChange } from './catalog-change.ts';

/** What a product must be. */
export type WantedProduct = Omit<ProductInput, 'idempotencyKey'>;

/** Creates a product, or corrects its name and description. */
export async function ensureProduct(
  ctx: Needs<'payments'>,
  { productId, name, description }: WantedProduct,
  onChange: OnChange,
): Promise<void> {
  const input = { productId, name, description, idempotencyKey: makeCallKey() };
  const change = { object: 'product', id: productId, name } as const;
  const existing = await findProduct(ctx.payments, productId);
  if (!existing && (await create(ctx, input))) return onChange({ ...change, change: 'created' });
  if (existing && isSame(existing, input)) return;
  await updateProduct(ctx.payments, { ...input, idempotencyKey: makeCallKey() });
  onChange({ ...change, change: 'updated' });
}

const isSame = (product: Product, { name, description }: ProductInput) =>
  product.isActive && product.name === name && product.description === description;

/** Returns false if another installation that shares the account was first. */
async function create({ payments }: Needs<'payments'>, input: ProductInput): Promise<boolean> {
  try {
    await createProduct(payments, input);
    return true;
  } catch (error) {
    if (error instanceof PaymentError && error.info.code === 'resource_already_exists') return false;
    throw error;
  }
}
