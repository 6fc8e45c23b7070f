/**
 * The error catalogue: every refusal a caller can see, by name. `code` is stable and documented in functions/README.md;
 * 1023 keeps the meaning that OSIA data access 1.0 gives it (attribute that cannot be returned).
 */
export const refusals = {
  malformedJson: { code: 1001, status: 400, meaning: 'the body is not JSON, is nested too deep or gives a key twice' },
  invalidParameter: { code: 1002, status: 400, meaning: 'a query, path or header value is not acceptable' },
  invalidBody: { code: 1003, status: 400, meaning: 'a field of the body is missing or not acceptable' },
  missingParameter: { code: 1004, status: 400, meaning: 'a required parameter is missing' },
  unknownParameter: { code: 1005, status: 400, meaning: 'a parameter that this operation does not have' },
  repeatedParameter: { code: 1006, status: 400, meaning: 'a parameter was given more than once' },
  invalidEvent: { code: 1007, status: 400, meaning: 'an event lacks a field that its type requires' },
  invalidToken: { code: 1008, status: 400, meaning: 'the confirmation token is unknown, altered or expired' },
  unknownTopicName: { code: 1009, status: 400, meaning: 'publish or subscribe named a topic that does not exist' },
  answerTooLarge: { code: 1010, status: 400, meaning: 'the whole answer is too large: ask for pages' },
  tooManyMatches: { code: 1011, status: 400, meaning: 'too many persons match: give more attributes' },
  ambiguousDocument: { code: 1012, status: 400, meaning: 'several documents fit: secondaryUin says which' },
  addressDeclines: { code: 1013, status: 400, meaning: 'the owner of this mailbox never wants to be asked to confirm' },
  idempotencyKeyReused: {
    code: 1014,
    status: 400,
    meaning: 'this Idempotency-Key was used with another body or subject',
  },
  invalidAttribute: { code: 1020, status: 400, meaning: 'an attribute value is not acceptable' },
  unknownAttribute: { code: 1021, status: 400, meaning: 'an attribute name that this registry does not have' },
  attributeNotReturned: {
    code: 1023,
    status: 200,
    meaning: 'in place of a value: unknown attribute name, or none held',
  },
  unknownPerson: { code: 1040, status: 404, meaning: 'no person has this UIN' },
  unknownTopic: { code: 1041, status: 404, meaning: 'no topic has this uuid' },
  unknownSubscription: { code: 1042, status: 404, meaning: 'no subscription has this uuid' },
  unknownDocument: { code: 1043, status: 404, meaning: 'the person has no such document' },
  unknownMessage: {
    code: 1044,
    status: 404,
    meaning: 'no message of this subscription has this id, or its filter keeps it out',
  },
  unauthenticated: { code: 1401, status: 401, meaning: 'the access token is missing, expired or not valid here' },
  forbidden: { code: 1403, status: 403, meaning: 'the access token lacks the scope of this operation' },
  unknownRoute: { code: 1404, status: 404, meaning: 'no operation has this method and path' },
  filtered: {
    code: 1405,
    status: 403,
    meaning: 'refused before the service saw it: the request looks like an attack, or attacks come from its address',
  },
  notActive: {
    code: 1409,
    status: 409,
    meaning: 'the subscription waits to be confirmed, or is paused: subscribe again, and confirm',
  },
  beingSentOut: {
    code: 1410,
    status: 409,
    meaning: 'the message is being sent out at this moment: `Retry-After` says when to ask again',
  },
  bodyTooLarge: { code: 1413, status: 413, meaning: 'the body is larger than this operation takes' },
  unsupportedFormat: { code: 1415, status: 415, meaning: 'documents are not given out in this format' },
  unconvertible: { code: 1416, status: 415, meaning: 'this document cannot be converted, with the reason' },
  throttled: { code: 1429, status: 429, meaning: 'too many requests: wait and try again' },
  tooManyConfirmations: {
    code: 1430,
    status: 429,
    meaning: 'too many requests to confirm: `Retry-After` says when there is room again',
  },
  askedTooOften: {
    code: 1431,
    status: 429,
    meaning:
      'too many test events, redeliveries or recoveries of one subscription: `Retry-After` says when there is room again',
  },
  unexpected: { code: 1500, status: 500, meaning: 'our own fault; the request id finds it in our logs' },
  conversionFailed: {
    code: 1501,
    status: 500,
    meaning: 'a conversion ran out of time or memory: try again, or ask for the stored format',
  },
  timedOut: { code: 1504, status: 504, meaning: 'no answer in time; try again' },
} as const satisfies Record<string, { code: number; status: number; meaning: string }>;

/** What is said of a method and path that there is not, by the gateway, too. */
export const unknownRoute =
  'no operation has this method and path; paths end without a slash, and /v1/openapi.json lists them';

export type RefusalName = keyof typeof refusals;

/** The only error whose message reaches a caller. Everything else that is thrown is our own fault: 500. */
export class Refusal extends Error {
  readonly refusal: RefusalName;
  /** When it is worth trying again, where that is known. */
  readonly retryAfterSeconds: number | undefined;

  /** @param message what was wrong and how to mend it; never an attribute value or a token */
  constructor(refusal: RefusalName, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'Refusal';
    this.refusal = refusal;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What is said of a subscription that there is not. */
export const unknownSubscription = (): Refusal =>
  new Refusal('unknownSubscription', 'no subscription has this uuid; GET /v1/subscriptions lists them');
