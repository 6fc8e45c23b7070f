/**
 * What work costs, and how long services take. CPU in milliseconds of one whole core, measured with deployed bundles on a
 * laptop-class x64 core (Node.js 24); latencies are round figures of our own for calls within a region. Neither was measured on
 * AWS.
 */
export const cpuMs = {
  /** One request of the SDK, answer parsed. */
  request: 0.55,
  /** A request that carries up to ten messages. */
  sqsBatch: 0.54,
  /** An item of a batch or a page: read, checked. */
  item: 0.02,
  /** A delivery over a new TLS connection, everything included; a connection that is kept costs a thirtieth. */
  delivery: 2.4,
  /** A signature with Ed25519. */
  signature: 0.034,
  /** Composing a mail and handing it to SES. */
  mail: 1.5,
} as const;

/** Median latencies, milliseconds; they vary as a log-normal distribution with `spread`. */
export const latencyMs = {
  read: 4,
  write: 6,
  /** What a transaction takes longer, while it holds its rows. */
  transaction: 8,
  sqs: 9,
  s3: 25,
  ses: 60,
  other: 20,
  /** Between a message's arrival and an event source's asking for it. */
  poll: 30,
} as const;
export const spread = 0.4;

/** How long a new copy takes until it can work: Lambda's own part, and ours. */
export const coldStartMs = 400;

/** "Memory and computing power" in the AWS Lambda Developer Guide: a whole core at so much memory. */
export const megabytesOfCore = 1769;

/** What a delivery sends beside the body: its head with two signatures, and a TLS handshake. About. */
export const deliveryHeadBytes = 1100 + 600;

/** What API Gateway logs of a request. */
export const accessLogBytes = 390;

/** How an event source asks an idle queue: so many at once, each for so many seconds. Five since ever; AWS documents no figure for idle ones. */
export const idlePolling = { pollers: 5, seconds: 20 } as const;

/**
 * "Configuring scaling behavior for SQS event source mappings" in the AWS Lambda Developer Guide: five batches at once, and so
 * many more in a minute while messages wait, up to the limit.
 */
export const eventSource = { first: 5, morePerMinute: 300, most: 1250 } as const;
