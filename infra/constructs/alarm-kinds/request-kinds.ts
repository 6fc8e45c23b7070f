import type { AlarmKind } from './alarm-kind.ts';

export const requestKinds = {
  requestsFail: {
    severity: 'now',
    title: 'Requests fail',
    condition: 'At least 1 % of requests (and at least 5), or at least 50, returned 5xx in 5 minutes, twice in a row.',
    impact: 'Civil registries and publishers receive 500, so births and events may wait.',
    check: [
      'the dashboard: which function fails, and since when',
      'the log lines `failed` of the functions, in Logs Insights',
      'the latest deployment, and the AWS Health Dashboard',
    ],
  },
  requestsSlow: {
    severity: 'now',
    title: 'Requests are slow',
    condition:
      'At least 10 % of requests took longer than 3 s for 15 minutes. Slow document conversions make up less than 10 % of requests.',
    impact: 'Clerks of civil registries wait longer when they search for or register a person.',
    check: ['throttling of the tables', 'throttling of Lambda, and its concurrency', 'the durations of the functions'],
  },
  functionCrashes: {
    severity: 'now',
    title: 'A function crashes',
    condition: 'At least 3 invocations in 5 minutes returned no response, twice in a row. One timeout is retried.',
    impact: 'Callers or subscribers of this function.',
    check: [
      "Lambda's log lines at level ERROR in the log of the function: timeout, memory, a failed import",
      'the latest deployment',
      'memory and duration compared with the limits',
    ],
  },
  tokensUnverifiable: {
    severity: 'now',
    title: 'Access tokens cannot be verified',
    condition:
      'The authorizer logged an internal error in each of two consecutive 15-minute periods. Cached keys remain usable for hours.',
    impact: "All callers within a few hours: without the issuer's keys every request is rejected.",
    check: [
      'the internal error in the log of `authorize`',
      'whether the address in `oidcJwksUri` responds to requests from outside the account',
      'whether the issuer changed its keys or its certificate',
    ],
  },
  tokensThrottled: {
    severity: 'now',
    title: 'Access tokens are throttled',
    condition: 'Lambda throttled at least 20 invocations of the authorizer in 5 minutes, twice in a row.',
    impact: 'Callers whose token was not checked within the last minute receive 500.',
    check: [
      'which caller sends many requests or many different tokens: group the access log by `caller`',
      'the duration of `authorize`, and whether the address in `oidcJwksUri` responds slowly',
      'the reservation of the authorizer, which is 5 % of `concurrency` in production',
    ],
  },
  allTokensRejected: {
    severity: 'now',
    title: 'All access tokens are rejected',
    condition:
      'In two consecutive 5-minute periods, at least 20 tokens were rejected and none accepted. One faulty client rarely causes this alarm.',
    impact: 'All callers whose tokens are now rejected: nothing is registered, found or published.',
    check: [
      'the metric `CallersRefused` by `Reason`, and the log lines `token rejected`',
      "whether `oidcIssuer` and `oidcAudience` still match the issuer's tokens",
      'whether only one client sends invalid tokens at a time when no other client is active',
    ],
  },
  clientsBlocked: {
    severity: 'day',
    title: 'The web ACL blocks clients',
    condition:
      'A per-client limit blocked at least 100 requests in each of three 5-minute periods, which is longer than a burst.',
    impact: 'Clients that send too many requests, and clients that share their address, receive 429.',
    check: [
      'which client it is: the addresses in the AWS WAF log, or the `caller` in the access log',
      'whether many clients share one address; if so, add the address to `trustedNetworks`',
      'whether you know the client: if so, inform its operator; otherwise, leave it blocked',
    ],
  },
  manyInternalErrors: {
    severity: 'now',
    title: 'Many internal errors',
    condition:
      'A function logged at least 10 internal errors in 5 minutes, twice in a row. A single row or receiver rarely causes 10 errors.',
    impact: 'Callers or subscribers of the function that the alarm names as `Function`.',
    check: [
      'the log lines `failed` of that function: `error`, `reason`',
      'the response of DynamoDB, SQS, S3 or SES (`awsStatus`)',
      'the latest deployment',
    ],
  },
  internalErrorOccurred: {
    severity: 'day',
    title: 'An internal error occurred',
    condition:
      'A function logged an internal error within an hour. The function completed its work anyway or will retry it.',
    impact: 'None yet.',
    check: [
      'the log line `failed`, and its error in the table of internal errors',
      'whether this error occurred before',
      'the dead letters',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
