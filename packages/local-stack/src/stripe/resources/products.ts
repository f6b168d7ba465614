import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata, mergeText } from '../parameters/merge-field.ts';
import { fillNulls } from '../schemas.ts';
import { invalidRequestError } from '../stripe-error.ts';

const products = defineResource({ path: '/v1/products', object: 'Product', table: 'products' });

export const productCalls = [
  products.create({
    serves: [
      'active',
      'description',
      'id',
      'metadata',
      'name',
      'statement_descriptor',
      'tax_code',
      'unit_label',
      'url',
    ],
    run: (context, params) => {
      const { id = makeId('prod') } = params;
      if (context.store.get('products', id))
        throw invalidRequestError('Product already exists.', { code: 'resource_already_exists', param: 'id' });
      const created = context.now();
      const product = fillNulls('Product', {
        id,
        object: 'product',
        active: params.active ?? true,
        created,
        default_price: null,
        description: params.description || null,
        images: [],
        livemode: false,
        marketing_features: [],
        metadata: mergeMetadata({}, params.metadata),
        name: params.name,
        statement_descriptor: params.statement_descriptor || null,
        tax_code: params.tax_code || null,
        type: 'service',
        unit_label: params.unit_label || null,
        updated: created,
        url: params.url || null,
      });
      return context.save('products', 'product.created', product);
    },
  }),
  products.retrieve(),
  products.update({
    serves: ['active', 'default_price', 'description', 'metadata', 'name', 'tax_code', 'unit_label', 'url'],
    run: (context, params, before) => {
      const price = params.default_price;
      if (price) getRow(context, 'prices', { id: price, param: 'default_price' });
      return context.save('products', 'product.updated', {
        ...before,
        active: params.active ?? before.active,
        default_price: price ?? (before.default_price ? idOf(before.default_price) : null),
        description: mergeText(params.description, before.description),
        metadata: mergeMetadata(before.metadata, params.metadata),
        name: params.name ?? before.name,
        tax_code: mergeText(params.tax_code, idOf(before.tax_code)),
        unit_label: mergeText(params.unit_label, before.unit_label),
        updated: context.now(),
        url: mergeText(params.url, before.url),
      });
    },
  }),
  products.delete({
    run: (context, _params, product) => {
      const { id } = product;
      if (context.store.list('prices').some((price) => idOf(price.product) === id))
        throw invalidRequestError('This product cannot be deleted because it has one or more user-created prices.');
      context.store.remove('products', id);
      context.emit('product.deleted', product);
      return { id, object: 'product', deleted: true };
    },
  }),
  products.list({
    filters: ['active', 'created'],
    serves: ['ids'],
    where: ({ id }, { ids }) => !ids || ids.includes(id),
  }),
];
