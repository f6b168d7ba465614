import type Stripe from 'stripe';

/**
 * The shapes that the double reads and writes. `npm run generate:stripe` makes a JSON schema of each. A resource that isn't
 * named here can't appear in a reply.
 */
export interface ParamShapes {
  AccountRetrieveCurrentParams: Stripe.AccountRetrieveCurrentParams;
  ChargeListParams: Stripe.ChargeListParams;
  ChargeRetrieveParams: Stripe.ChargeRetrieveParams;
  CouponCreateParams: Stripe.CouponCreateParams;
  CouponDeleteParams: Stripe.CouponDeleteParams;
  CouponListParams: Stripe.CouponListParams;
  CouponRetrieveParams: Stripe.CouponRetrieveParams;
  CouponUpdateParams: Stripe.CouponUpdateParams;
  CustomerCreateParams: Stripe.CustomerCreateParams;
  CustomerDeleteParams: Stripe.CustomerDeleteParams;
  CustomerListPaymentMethodsParams: Stripe.CustomerListPaymentMethodsParams;
  CustomerListParams: Stripe.CustomerListParams;
  CustomerRetrieveParams: Stripe.CustomerRetrieveParams;
  CustomerUpdateParams: Stripe.CustomerUpdateParams;
  EventListParams: Stripe.EventListParams;
  EventRetrieveParams: Stripe.EventRetrieveParams;
  PaymentIntentCancelParams: Stripe.PaymentIntentCancelParams;
  PaymentIntentConfirmParams: Stripe.PaymentIntentConfirmParams;
  PaymentIntentCreateParams: Stripe.PaymentIntentCreateParams;
  PaymentIntentListParams: Stripe.PaymentIntentListParams;
  PaymentIntentRetrieveParams: Stripe.PaymentIntentRetrieveParams;
  PaymentMethodAttachParams: Stripe.PaymentMethodAttachParams;
  PaymentMethodCreateParams: Stripe.PaymentMethodCreateParams;
  PaymentMethodDetachParams: Stripe.PaymentMethodDetachParams;
  PaymentMethodListParams: Stripe.PaymentMethodListParams;
  PaymentMethodRetrieveParams: Stripe.PaymentMethodRetrieveParams;
  PaymentMethodUpdateParams: Stripe.PaymentMethodUpdateParams;
  PriceCreateParams: Stripe.PriceCreateParams;
  PriceListParams: Stripe.PriceListParams;
  PriceRetrieveParams: Stripe.PriceRetrieveParams;
  PriceUpdateParams: Stripe.PriceUpdateParams;
  ProductCreateParams: Stripe.ProductCreateParams;
  ProductDeleteParams: Stripe.ProductDeleteParams;
  ProductListParams: Stripe.ProductListParams;
  ProductRetrieveParams: Stripe.ProductRetrieveParams;
  ProductUpdateParams: Stripe.ProductUpdateParams;
  PromotionCodeCreateParams: Stripe.PromotionCodeCreateParams;
  PromotionCodeListParams: Stripe.PromotionCodeListParams;
  PromotionCodeRetrieveParams: Stripe.PromotionCodeRetrieveParams;
  PromotionCodeUpdateParams: Stripe.PromotionCodeUpdateParams;
  RefundCreateParams: Stripe.RefundCreateParams;
  RefundListParams: Stripe.RefundListParams;
  RefundRetrieveParams: Stripe.RefundRetrieveParams;
  SetupIntentConfirmParams: Stripe.SetupIntentConfirmParams;
  SetupIntentCreateParams: Stripe.SetupIntentCreateParams;
  SetupIntentRetrieveParams: Stripe.SetupIntentRetrieveParams;
  WebhookEndpointCreateParams: Stripe.WebhookEndpointCreateParams;
  WebhookEndpointDeleteParams: Stripe.WebhookEndpointDeleteParams;
  WebhookEndpointListParams: Stripe.WebhookEndpointListParams;
  WebhookEndpointRetrieveParams: Stripe.WebhookEndpointRetrieveParams;
  WebhookEndpointUpdateParams: Stripe.WebhookEndpointUpdateParams;
}

export interface EventShapes {
  'charge.failed': Stripe.ChargeFailedEvent;
  'charge.refunded': Stripe.ChargeRefundedEvent;
  'charge.succeeded': Stripe.ChargeSucceededEvent;
  'coupon.created': Stripe.CouponCreatedEvent;
  'coupon.deleted': Stripe.CouponDeletedEvent;
  'coupon.updated': Stripe.CouponUpdatedEvent;
  'customer.created': Stripe.CustomerCreatedEvent;
  'customer.deleted': Stripe.CustomerDeletedEvent;
  'customer.updated': Stripe.CustomerUpdatedEvent;
  'payment_intent.canceled': Stripe.PaymentIntentCanceledEvent;
  'payment_intent.created': Stripe.PaymentIntentCreatedEvent;
  'payment_intent.payment_failed': Stripe.PaymentIntentPaymentFailedEvent;
  'payment_intent.requires_action': Stripe.PaymentIntentRequiresActionEvent;
  'payment_intent.succeeded': Stripe.PaymentIntentSucceededEvent;
  'payment_method.attached': Stripe.PaymentMethodAttachedEvent;
  'payment_method.detached': Stripe.PaymentMethodDetachedEvent;
  'payment_method.updated': Stripe.PaymentMethodUpdatedEvent;
  'price.created': Stripe.PriceCreatedEvent;
  'price.updated': Stripe.PriceUpdatedEvent;
  'product.created': Stripe.ProductCreatedEvent;
  'product.deleted': Stripe.ProductDeletedEvent;
  'product.updated': Stripe.ProductUpdatedEvent;
  'promotion_code.created': Stripe.PromotionCodeCreatedEvent;
  'promotion_code.updated': Stripe.PromotionCodeUpdatedEvent;
  'refund.created': Stripe.RefundCreatedEvent;
  'setup_intent.created': Stripe.SetupIntentCreatedEvent;
  'setup_intent.requires_action': Stripe.SetupIntentRequiresActionEvent;
  'setup_intent.setup_failed': Stripe.SetupIntentSetupFailedEvent;
  'setup_intent.succeeded': Stripe.SetupIntentSucceededEvent;
}

export interface ReplyShapes {
  Account: Stripe.Account;
  Charge: Stripe.Charge;
  ChargeList: Stripe.ApiList<Stripe.Charge>;
  Coupon: Stripe.Coupon;
  CouponList: Stripe.ApiList<Stripe.Coupon>;
  Customer: Stripe.Customer;
  CustomerList: Stripe.ApiList<Stripe.Customer>;
  CustomerOrDeleted: Stripe.Customer | Stripe.DeletedCustomer;
  DeletedCoupon: Stripe.DeletedCoupon;
  DeletedCustomer: Stripe.DeletedCustomer;
  DeletedProduct: Stripe.DeletedProduct;
  DeletedWebhookEndpoint: Stripe.DeletedWebhookEndpoint;
  Event: EventShapes[keyof EventShapes];
  EventList: Stripe.ApiList<EventShapes[keyof EventShapes]>;
  PaymentIntent: Stripe.PaymentIntent;
  PaymentIntentList: Stripe.ApiList<Stripe.PaymentIntent>;
  PaymentMethod: Stripe.PaymentMethod;
  PaymentMethodList: Stripe.ApiList<Stripe.PaymentMethod>;
  Price: Stripe.Price;
  PriceList: Stripe.ApiList<Stripe.Price>;
  Product: Stripe.Product;
  ProductList: Stripe.ApiList<Stripe.Product>;
  PromotionCode: Stripe.PromotionCode;
  PromotionCodeList: Stripe.ApiList<Stripe.PromotionCode>;
  Refund: Stripe.Refund;
  RefundList: Stripe.ApiList<Stripe.Refund>;
  SetupIntent: Stripe.SetupIntent;
  WebhookEndpoint: Stripe.WebhookEndpoint;
  WebhookEndpointList: Stripe.ApiList<Stripe.WebhookEndpoint>;
}
