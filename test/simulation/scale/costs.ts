/**
 * Estimates of the cost of work and the latency of services. CPU is in milliseconds of one core, measured with deployed
 * bundles on a laptop-class x64 core (Node.js 24). Latencies are our estimates for calls within a region. Nothing was
 * measured on AWS.
 */
export const cpuMs = {
  /** One SDK request, including parsing the response. */
  request: 0.55,
  /** One request with up to ten messages. */
  sqsBatch: 0.54,
  /** Reading and checking one item of a batch or page. */
  item: 0.02,
  /** A delivery over a new TLS connection. A delivery over a reused connection costs a thirtieth of this. */
  delivery: 2.4,
  /** An Ed25519 signature. */
  signature: 0.034,
  /** Composing an email and sending it to SES. */
  mail: 1.5,
} as const;

/** Median latencies in milliseconds. The latencies have a log-normal distribution with sigma `spread`. */
export const latencyMs = {
  read: 4,
  write: 6,
  /** Additional time of a transaction, during which it locks its rows. */
  transaction: 8,
  sqs: 9,
  s3: 25,
  ses: 60,
  other: 20,
  /** The time between the arrival of a message and the next poll of its event source. */
  poll: 30,
} as const;
export const spread = 0.4;

/** The duration of a function's cold start, including its initialization. */
export const coldStartMs = 400;

/** The memory that provides one whole core ("Memory and computing power" in the AWS Lambda Developer Guide). */
export const megabytesOfCore = 1769;

/** Estimated bytes that a delivery sends in addition to its body: headers with two signatures, and a TLS handshake. */
export const deliveryHeadBytes = 1100 + 600;

/** Bytes per request in API Gateway's access log. */
export const accessLogBytes = 390;

/**
 * The number of pollers of an idle event source, and the seconds of a long poll. AWS documents no figures. Five pollers
 * are common.
 */
export const idlePolling = { pollers: 5, seconds: 20 } as const;

/**
 * The concurrent batches of an event source: initially, growth per minute while messages wait, and maximum
 * ("Configuring scaling behavior for SQS event source mappings" in the AWS Lambda Developer Guide).
 */
export const eventSource = { first: 5, morePerMinute: 300, max: 1250 } as const;
