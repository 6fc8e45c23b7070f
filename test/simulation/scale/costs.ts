/**
 * Estimates of CPU time and latency. CPU time is in milliseconds of one core, measured with deployed bundles on a
 * laptop-class x64 core (Node.js 24). Latencies are estimates for calls within a region. Nothing was measured on AWS.
 */
export const cpuMs = {
  /** An SDK request, including the parsing of the response. */
  request: 0.55,
  /** An SQS request with up to ten messages. */
  sqsBatch: 0.54,
  /** The time to read and check one item in a batch or page. */
  item: 0.02,
  /** A delivery over a new TLS connection. A delivery over a reused connection needs one thirtieth of this CPU time. */
  delivery: 2.4,
  /** An Ed25519 signature. */
  signature: 0.034,
} as const;

/** Median latencies in milliseconds. Latencies follow a log-normal distribution whose sigma is `spread`. */
export const latencyMs = {
  read: 4,
  write: 6,
  /** The additional time that a transaction takes while its rows are locked. */
  transaction: 8,
  sqs: 9,
  s3: 25,
  other: 20,
  /** The time between the arrival of a message and the next poll by the event source. */
  poll: 30,
} as const;
export const spread = 0.4;

/** The duration of a cold start, including the initialisation of the function. */
export const coldStartMs = 400;

/** The memory size that provides one whole core ("Memory and computing power" in the AWS Lambda Developer Guide). */
export const megabytesOfCore = 1769;

/** The estimated number of bytes that a delivery sends in addition to its body: headers and a TLS handshake. */
export const deliveryHeadBytes = 1100 + 600;

/** The size of one request in API Gateway's access log, in bytes. */
export const accessLogBytes = 390;

/**
 * The number of pollers of an idle event source and the duration of a long poll in seconds. AWS documents no figures,
 * but five pollers are common.
 */
export const idlePolling = { pollers: 5, seconds: 20 } as const;

/**
 * The concurrent batches of an event source: the initial number, the increase per minute while messages wait, and the
 * maximum. See "Configuring scaling behavior for SQS event source mappings" in the AWS Lambda Developer Guide.
 */
export const eventSource = { first: 5, morePerMinute: 300, max: 1250 } as const;
