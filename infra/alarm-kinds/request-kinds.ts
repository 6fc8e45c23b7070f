import type { AlarmKind } from './alarm-kind.ts';

/** Whether people get through, and what breaks on the way. */
export const requestKinds = {
  requestsFail: {
    severity: 'now',
    title: 'Requests fail',
    rings:
      'of requests at least 5 in 5 minutes and 1 %, or 50, were answered 5xx, twice in a row: a single 500 is repeated by its client',
    hurts: 'Civil registries and publishers: their requests are answered 500, and births and events may wait.',
    look: [
      'the dashboard, which function and since when',
      'the lines `failed` of the functions, in Logs Insights',
      'what was deployed last, and the AWS Health Dashboard',
    ],
  },
  requestsSlow: {
    severity: 'now',
    title: 'Requests are slow',
    rings:
      'one request in ten took longer than 3 s for a quarter of an hour; conversions of documents, which may, are fewer',
    hurts: 'Whoever waits at a counter while a person is looked up or registered.',
    look: ['throttling of the tables', 'throttling of Lambda, and its concurrency', 'the durations of the functions'],
  },
  functionCrashes: {
    severity: 'now',
    title: 'A function crashes',
    rings: '3 invocations in 5 minutes ended without an answer, twice in a row: one time-out is tried again',
    hurts: 'See the beginning of this text.',
    look: [
      'the lines of Lambda at level ERROR in the log of the function: time-out, memory, what it could not load',
      'what was deployed last',
      'its memory and duration beside its limits',
    ],
  },
  callersUnknown: {
    severity: 'now',
    title: 'Callers cannot be recognised',
    rings:
      'the authorizer logged a fault in two quarters of an hour, one after the other: the keys that it has serve for hours',
    hurts: 'Everybody, in a few hours at the latest: without the keys of the issuer every request is refused.',
    look: [
      'the fault in the log of `authorize`',
      'whether the address in `oidcJwksUri` answers, from outside',
      'whether the issuer has changed its keys or its certificate',
    ],
  },
  everybodyRefused: {
    severity: 'now',
    title: 'Everybody is refused',
    rings: 'for 10 minutes tokens were refused, 20 at least in each 5, and none taken: a client that errs is not alone',
    hurts: 'Everybody whose token is not taken any more: nothing is registered, found or published.',
    look: [
      'the metric `CallersRefused` by `Reason`, and the lines `token refused`',
      'whether `oidcIssuer`, `oidcAudience` and the issuer still agree',
      'whether it is one client alone, with bad tokens, at a quiet hour',
    ],
  },
  clientsRefused: {
    severity: 'day',
    title: 'The web ACL holds clients back',
    rings:
      '100 requests beyond one limit by client were refused in each of three times 5 minutes: a burst is over by then',
    hurts: 'The client that asks too much, and whoever shares its address: they are answered 429. All others are not.',
    look: [
      'who it is: the addresses in the log of AWS WAF, or the `caller` in the access log',
      'whether many stand behind one address: then it belongs into `trustedNetworks`',
      'whether the client runs wild: its ministry, or a stranger that may stay refused',
    ],
  },
  manyFaults: {
    severity: 'now',
    title: 'Many faults',
    rings: 'a function logged 10 faults in 5 minutes, twice in a row: that is not one row or one receiver',
    hurts: 'Whom the function serves, which the alarm names as `Function`.',
    look: [
      'the lines `failed` of that function: `error`, `reason`',
      'what DynamoDB, SQS, S3 or SES answered (`awsStatus`)',
      'what was deployed last',
    ],
  },
  faultSurvived: {
    severity: 'day',
    title: 'A fault was survived',
    rings: 'a function logged a fault, once or more in an hour: what it did was done all the same, or is tried again',
    hurts: 'Nobody yet.',
    look: [
      'the line `failed`, and its name in the table of faults',
      'whether it has happened before',
      'the dead letters',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
