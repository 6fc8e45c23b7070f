import type { AlarmKind } from './alarm-kind.ts';

export const requestKinds = {
  requestsFail: {
    severity: 'now',
    title: 'Requests fail',
    condition:
      'In two consecutive 5-minute periods, at least 5 requests and at least 1 % of requests returned 5xx, or at least 50 requests did.',
    impact: 'Civil registries and publishers receive 500, so births and events may be recorded late.',
    check: [
      'check on the dashboard which function fails, and since when',
      'read the log lines `failed` of the functions in Logs Insights',
      'check the latest deployment, and the AWS Health Dashboard',
    ],
  },
  requestsSlow: {
    severity: 'now',
    title: 'Requests are slow',
    condition:
      'At least 10 % of requests took longer than 3 s for 15 minutes. Document conversions are slow, but make up less than 10 % of requests.',
    impact: 'Civil registrars wait longer when they search for or register a person.',
    check: [
      'check throttling of tables',
      'check throttling and concurrency of Lambda',
      'check the durations of functions',
    ],
  },
  functionCrashes: {
    severity: 'now',
    title: 'A function crashes',
    condition: 'In two consecutive 5-minute periods, at least 3 invocations returned no response.',
    impact: 'Requests or deliveries that use the function fail.',
    check: [
      "read Lambda's log lines at level ERROR in the log of the function: timeout, memory, a failed import",
      'check the latest deployment',
      'check whether memory and duration reach the limits',
    ],
  },
  tokensUnverifiable: {
    severity: 'now',
    title: 'Access tokens cannot be verified',
    condition:
      "The authorizer logged an internal error in each of two consecutive 15-minute periods. The issuer's cached keys remain usable for hours.",
    impact:
      "Within a few hours, every request with an access token is rejected, because the issuer's keys are missing.",
    check: [
      'read the internal error in the log of `authorize`',
      'check whether the URL in `oidcJwksUri` responds to requests from outside the account',
      'check whether the issuer changed its keys or its certificate',
    ],
  },
  tokensThrottled: {
    severity: 'now',
    title: 'Access tokens are throttled',
    condition: 'Lambda throttled at least 20 invocations of the authorizer in 5 minutes, twice in a row.',
    impact: 'Callers whose token was not checked within the last minute receive 500.',
    check: [
      'group the access log by `caller` to find a caller with many requests or many different tokens',
      'check the duration of `authorize`, and whether the URL in `oidcJwksUri` responds slowly',
      'check the reserved concurrency of the authorizer, which is 5 % of `concurrency` in production',
    ],
  },
  allTokensRejected: {
    severity: 'now',
    title: 'All access tokens are rejected',
    condition:
      'In two consecutive 5-minute periods, at least 20 tokens were rejected and none accepted. A single failing client rarely raises the alarm.',
    impact: 'Callers with rejected tokens cannot register or find persons, or publish events.',
    check: [
      'check the metric `CallersRefused` by `Reason`, and the log lines `token rejected`',
      "check whether `oidcIssuer` and `oidcAudience` still match the issuer's tokens",
      'check whether one client sends invalid tokens while no other client is active',
    ],
  },
  clientsBlocked: {
    severity: 'day',
    title: 'The web ACL blocks clients',
    condition: 'A per-client limit blocked at least 100 requests in each of three 5-minute periods.',
    impact: 'Clients with too many requests, and other clients with the same address, receive 429.',
    check: [
      'find the blocked client by its address in the AWS WAF log, or by `caller` in the access log',
      'if many clients share one address, add the address to `trustedNetworks`',
      'inform the operator of the client if you know it; otherwise, leave the client blocked',
    ],
  },
  manyInternalErrors: {
    severity: 'now',
    title: 'Many internal errors',
    condition:
      'A function logged at least 10 internal errors in 5 minutes, twice in a row. One row or one receiver rarely causes 10 errors.',
    impact: "Requests or deliveries that use the function in the alarm's dimension `Function` may fail.",
    check: [
      'read `error` and `reason` in the log lines `failed` of the function',
      'check the response of DynamoDB, SQS, S3 or SES (`awsStatus`)',
      'check the latest deployment',
    ],
  },
  internalErrorOccurred: {
    severity: 'day',
    title: 'An internal error occurred',
    condition: 'A function logged an internal error within an hour. The function completed its work or will retry it.',
    impact: 'None yet.',
    check: [
      'read the log line `failed`, and the description of the error: `npm run -s describe -- logs`',
      'check whether the error occurred before',
      'check the dead letters',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
