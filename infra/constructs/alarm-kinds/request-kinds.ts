import type { AlarmKind } from './alarm-kind.ts';

export const requestKinds = {
  requestsFail: {
    severity: 'now',
    title: 'Requests fail',
    condition:
      'In two consecutive 5-minute periods, at least 50 requests, or at least 5 requests and 1 % of all requests, returned 5xx.',
    impact: 'Civil registries and publishers receive status 500, so births and events may be recorded late.',
    check: [
      'check on the dashboard which function is failing, and since when',
      'read the log lines `failed` of the functions in Logs Insights',
      'check the latest deployment, and the AWS Health Dashboard',
    ],
  },
  requestsSlow: {
    severity: 'now',
    title: 'Requests are slow',
    condition:
      'For 15 minutes, at least 10 % of requests took longer than 3 s. Document conversions are slow, but make up less than 10 % of requests.',
    impact: 'Civil registrars wait longer when they search for or register a person.',
    check: [
      'check throttling of tables',
      'check throttling and concurrency of Lambda',
      'check the durations of the functions',
    ],
  },
  functionCrashes: {
    severity: 'now',
    title: 'A function crashes',
    condition: 'In two consecutive 5-minute periods, at least 3 invocations returned no response.',
    impact: 'Requests or deliveries that use the function fail.',
    check: [
      "read the log lines at level ERROR in the function's log, which report timeouts, memory errors and failed imports",
      'check the latest deployment',
      'check whether memory use or duration reaches its limit',
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
    condition: 'In two consecutive 5-minute periods, Lambda throttled at least 20 invocations of the authorizer.',
    impact: 'Callers whose token was not checked within the last minute receive status 500.',
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
      'In two consecutive 5-minute periods, at least 20 tokens were rejected and no token was accepted. A single failing client rarely raises the alarm.',
    impact: 'Callers with rejected tokens cannot register persons, find persons or publish events.',
    check: [
      'check the `CallersRefused` metric by `Reason`, and the log lines `token rejected`',
      "check whether `oidcIssuer` and `oidcAudience` still match the issuer's tokens",
      'check whether one client sends invalid tokens while no other client is active',
    ],
  },
  clientsBlocked: {
    severity: 'day',
    title: 'The web ACL blocks clients',
    condition: 'In each of three consecutive 5-minute periods, a per-client limit blocked at least 100 requests.',
    impact: 'Clients that send too many requests receive status 429, as do other clients at the same address.',
    check: [
      'find the blocked client by its address in the AWS WAF log, or by `caller` in the access log',
      'if many clients share one address, add the address to `trustedNetworks`',
      'if you know the operator of the client, inform them; otherwise, leave the client blocked',
    ],
  },
  manyInternalErrors: {
    severity: 'now',
    title: 'Many internal errors',
    condition:
      'In two consecutive 5-minute periods, a function logged at least 10 internal errors. A single row or receiver rarely causes 10 errors.',
    impact: "Requests or deliveries that use the function in the alarm's dimension `Function` may fail.",
    check: [
      'read `error` and `reason` in the log lines `failed` of the function',
      'check the status that DynamoDB, SQS, S3 or SES returned (`awsStatus`)',
      'check the latest deployment',
    ],
  },
  internalErrorOccurred: {
    severity: 'day',
    title: 'An internal error occurred',
    condition:
      'Within an hour, a function logged an internal error. The function has completed its work or will retry it.',
    impact: 'None yet.',
    check: [
      'read the log line `failed`, and the description of the error: `npm run -s describe -- logs`',
      'check whether the error has occurred before',
      'check the dead letters',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
