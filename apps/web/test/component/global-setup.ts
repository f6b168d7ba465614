import { openBillingWorld } from '@uprez/testing/billing/open-billing-world';
import setUpServices from '@uprez/testing/global-setup';
import { getServices } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/products/start-test-product';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The gateway that the pages of all component tests call, its database, and its Stripe double. */
    site: {
      url: string;
      databaseUrl: string;
      stripeUrl: string;
      stripeKeys: { secretKey: string; publishableKey: string };
    };
  }
}

/** Starts the gateway of the component tests, which sells plans through a Stripe double. @public */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const closeServices = await setUpServices();
  const world = await openBillingWorld();
  const product = await startTestProduct({
    databaseUrl: world.databaseUrl,
    redisUrl: getServices().redisUrl,
    services: ['gateway'],
    env: world.stripe.env,
  });
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = world.stripe.env;
  provide('site', {
    url: product.url,
    databaseUrl: world.databaseUrl,
    stripeUrl: world.stripe.double.url,
    stripeKeys: { secretKey, publishableKey },
  });
  return async () => {
    await product.close();
    await world.close();
    await closeServices();
  };
}
