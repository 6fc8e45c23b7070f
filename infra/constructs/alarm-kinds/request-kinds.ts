import type { AlarmKind } from './alarm-kind.ts';

export const requestKinds = {
  requestsFail: {
    severity: 'now',
    title: 'Requests fail',
    condition:
      'In each of two 5-minute periods, 5xx responses were at least 50, or at least 5 and 1 % of all responses.',
    impact: 'Civil registries and publishers receive 500, so births and events may be recorded late.',
    check: [
      'which function fails, and since when (see the dashboard)',
      'the log lines `failed` of the functions, in Logs Insights',
      'the latest deployment, and the AWS Health Dashboard',
    ],
  },
  requestsSlow: {
    severity: 'now',
    title: 'Requests are slow',
    condition:
      'At least 10 % of requests took longer than 3 s for 15 minutes. Document conversions are slow, but make up less than 10 % of requests.',
    impact: 'Civil registrars wait longer when they search for or register a person.',
    check: ['throttling of the tables', 'throttling of Lambda, and its concurrency', 'the durations of the functions'],
  },
  functionCrashes: {
    severity: 'now',
    title: 'A function crashes',
    condition: 'In two consecutive 5-minute periods, at least 3 invocations returned no response.',
    impact: 'Requests or deliveries that use this function fail.',
    check: [
      "Lambda's log lines at level ERROR in the log of the function: timeout, memory, a failed import",
      'the latest deployment',
      'whether memory and duration reach the limits',
    ],
  },
  tokensUnverifiable: {
    severity: 'now',
    title: 'Access tokens cannot be verified',
    condition:
      "The authorizer logged an internal error in each of two consecutive 15-minute periods. The issuer's cached keys remain usable for hours.",
    impact: "Within a few hours, every request is rejected, because the issuer's keys are missing.",
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
      'the reserved concurrency of the authorizer, which is 5 % of `concurrency` in production',
    ],
  },
  allTokensRejected: {
    severity: 'now',
    title: 'All access tokens are rejected',
    condition:
      'In two consecutive 5-minute periods, at least 20 tokens were rejected and none accepted. One failing client rarely raises this alarm.',
    impact: 'Callers with rejected tokens cannot register or find persons, or publish events.',
    check: [
      'the metric `CallersRefused` by `Reason`, and the log lines `token rejected`',
      "whether `oidcIssuer` and `oidcAudience` still match the issuer's tokens",
      'whether one client sends invalid tokens while no other client is active',
    ],
  },
  clientsBlocked: {
    severity: 'day',
    title: 'The web ACL blocks clients',
    condition: 'A per-client limit blocked at least 100 requests in each of three 5-minute periods.',
    impact: 'Clients with too many requests, and other clients with the same address, receive 429.',
    check: [
      'which client is blocked: see the addresses in the AWS WAF log, or `caller` in the access log',
      'whether many clients share one address; if so, add the address to `trustedNetworks`',
      'whether you know the client: if so, inform its operator; otherwise, leave it blocked',
    ],
  },
  manyInternalErrors: {
    severity: 'now',
    title: 'Many internal errors',
    condition:
      'A function logged at least 10 internal errors in 5 minutes, twice in a row. One row or one receiver rarely causes 10 errors.',
    impact: "Requests or deliveries that use the function in the alarm's dimension `Function` may fail.",
    check: [
      '`error` and `reason` in the log lines `failed` of that function',
      'the response of DynamoDB, SQS, S3 or SES (`awsStatus`)',
      'the latest deployment',
    ],
  },
  internalErrorOccurred: {
    severity: 'day',
    title: 'An internal error occurred',
    condition: 'A function logged an internal error within an hour. The function completed its work or will retry it.',
    impact: 'None yet.',
    check: [
      "the log line `failed`, and its error in the runbook's table of internal errors",
      'whether this error occurred before',
      'the dead letters',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
