export const regions = ['us-east-1', 'eu-west-1'] as const;
export type Region = (typeof regions)[number];

type Prices = Readonly<Record<Region, number>>;

const same = (price: number): Prices => ({ 'us-east-1': price, 'eu-west-1': price });
const million = (price: number): number => price / 1e6;

/**
 * The year and month of the prices. The prices come from secondary sources, because AWS's price pages were unavailable.
 */
export const pricesOf = '2026-06';

/** AWS list prices for the first tier, in dollars per unit, without free tiers or discounts. */
export const prices = {
  'API Gateway requests': same(million(3.5)),
  'Lambda requests': same(million(0.2)),
  /** The price of arm64 functions. Functions on x86 cost 25 % more. */
  'Lambda GB-seconds': same(1.33334e-5),
  /**
   * On-demand units of 1 KB. A transactional write consumes two units, plus one or two units for each changed index.
   */
  'DynamoDB writes': { 'us-east-1': million(0.625), 'eu-west-1': million(0.70675) },
  /** On-demand units of 4 KB. An eventually consistent read consumes half a unit. */
  'DynamoDB reads': { 'us-east-1': million(0.125), 'eu-west-1': million(0.1415) },
  'DynamoDB GB-months': { 'us-east-1': 0.25, 'eu-west-1': 0.283 },
  'DynamoDB recovery GB-months': { 'us-east-1': 0.2, 'eu-west-1': 0.226 },
  /**
   * AWS charges once for each unit per second above the capacity of a new table. AWS publishes no price for warm
   * throughput, so the hourly price of provisioned capacity is used.
   */
  'DynamoDB warm writes': { 'us-east-1': 0.00065, 'eu-west-1': 0.000735 },
  'DynamoDB warm reads': { 'us-east-1': 0.00013, 'eu-west-1': 0.000147 },
  'DynamoDB backup GB-months': { 'us-east-1': 0.1, 'eu-west-1': 0.1131 },
  'S3 backup GB-months': same(0.05),
  'KMS requests': same(million(3)),
  /** Per 64 KB. */
  'SQS requests': same(million(0.4)),
  /** The surcharge per request for messages with a group id in a standard queue ("fair queues"). */
  'SQS fair messages': same(million(0.1)),
  'S3 writes': same(million(5)),
  'S3 reads': same(million(0.4)),
  'S3 GB-months': same(0.023),
  /** The prices of S3 Intelligent-Tiering for objects that have not been read for 30 days, and for 90 days. */
  'S3 infrequent GB-months': same(0.0125),
  'S3 instant archive GB-months': same(0.004),
  /** The monthly price for each object of at least 128 KB. */
  'S3 tiered objects': same(million(2.5)),
  'S3 transitions to tiers': same(million(10)),
  'Secrets Manager calls': same(million(5)),
  'SES mails': same(1e-4),
  'CloudWatch Logs GB': { 'us-east-1': 0.5, 'eu-west-1': 0.57 },
  'data out GB': same(0.09),
  'SNS publishes': same(million(0.5)),
  'SNS http deliveries': same(million(0.6)),
  /** The price of a web ACL with up to 1,500 capacity units. */
  'WAF requests': same(million(0.6)),
  'NAT GB': { 'us-east-1': 0.045, 'eu-west-1': 0.048 },
  'interface endpoint GB': same(0.01),
  'Cognito tokens': same(0.00225),
} as const satisfies Record<string, Prices>;
export type PricedItem = keyof typeof prices;

const hoursOfMonth = 730;
const byHour = (us: number, eu: number): Prices => ({ 'us-east-1': us * hoursOfMonth, 'eu-west-1': eu * hoursOfMonth });

export const monthlyPrices = {
  alarm: same(0.1),
  dashboard: same(3),
  secret: same(0.4),
  key: same(1),
  'web ACL': same(5),
  'web ACL rule': same(1),
  'NAT gateway': byHour(0.045, 0.048),
  'public address': byHour(0.005, 0.005),
  'interface endpoint zone': byHour(0.01, 0.011),
  'Cognito client': same(6),
} as const satisfies Record<string, Prices>;

export const costOf = (item: PricedItem, count: number, region: Region = 'us-east-1'): number =>
  count * prices[item][region];
