import type { AlarmKind } from './alarm-kind.ts';

export const requestKinds = {
  requestsFail: {
    severity: 'now',
    title: 'Requests fail',
    condition: 'At least 1 % of requests (and at least 5), or at least 50, returned 5xx in 5 minutes, twice in a row.',
    impact: 'Civil registries and publishers receive 500, so births and events may wait.',
    check: [
      'the dashboard: which function, and since when',
      'the lines `failed` of the functions, in Logs Insights',
      'the latest deployment, and the AWS Health Dashboard',
    ],
  },
  requestsSlow: {
    severity: 'now',
    title: 'Requests are slow',
    condition:
      'At least 10 % of requests took longer than 3 s for 15 minutes. Document conversions may be slow but are rarer than that.',
    impact: 'Civil registries whose clerks wait while a person is searched for or registered.',
    check: ['throttling of the tables', 'throttling of Lambda, and its concurrency', 'the durations of the functions'],
  },
  functionCrashes: {
    severity: 'now',
    title: 'A function crashes',
    condition: 'At least 3 invocations in 5 minutes ended without a response, twice in a row. One timeout is retried.',
    impact: 'Callers or subscribers of this function.',
    check: [
      'the lines of Lambda at level ERROR in the log of the function: timeout, memory, a failed import',
      'the latest deployment',
      'memory and duration compared with the limits',
    ],
  },
  tokensUnverifiable: {
    severity: 'now',
    title: 'Access tokens cannot be verified',
    condition:
      'The authorizer logged an internal error in two periods of 15 minutes in a row. Its cached keys work for hours.',
    impact: "All callers within a few hours: without the issuer's keys every request is rejected.",
    check: [
      'the internal error in the log of `authorize`',
      'whether the address in `oidcJwksUri` responds, from outside',
      'whether the issuer changed its keys or its certificate',
    ],
  },
  allTokensRejected: {
    severity: 'now',
    title: 'All access tokens are rejected',
    condition:
      'For 10 minutes, at least 20 tokens in each 5 minutes were rejected and none was accepted. One faulty client is not alone.',
    impact: 'All callers whose tokens are now rejected: nothing is registered, found or published.',
    check: [
      'the metric `CallersRefused` by `Reason`, and the lines `token rejected`',
      'whether `oidcIssuer`, `oidcAudience` and the issuer still agree',
      'whether it is only one client with bad tokens at a quiet hour',
    ],
  },
  clientsBlocked: {
    severity: 'day',
    title: 'The web ACL blocks clients',
    condition:
      'One limit per client blocked at least 100 requests in each of three periods of 5 minutes, longer than a burst.',
    impact: 'Clients that send too many requests, and clients that share their address, receive 429.',
    check: [
      'who it is: the addresses in the AWS WAF log, or the `caller` in the access log',
      'whether many clients share one address: then add it to `trustedNetworks`',
      'whether the client is out of control: inform its operator, or leave a stranger blocked',
    ],
  },
  manyInternalErrors: {
    severity: 'now',
    title: 'Many internal errors',
    condition:
      'A function logged at least 10 internal errors in 5 minutes, twice in a row: more than one row or one receiver.',
    impact: 'Callers or subscribers of the function that the alarm names as `Function`.',
    check: [
      'the lines `failed` of that function: `error`, `reason`',
      'the response of DynamoDB, SQS, S3 or SES (`awsStatus`)',
      'the latest deployment',
    ],
  },
  internalErrorOccurred: {
    severity: 'day',
    title: 'An internal error occurred',
    condition: 'A function logged an internal error within an hour. It completed its work all the same, or will retry.',
    impact: 'None yet.',
    check: [
      'the line `failed`, and its name in the table of internal errors',
      'whether it happened before',
      'the dead letters',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
