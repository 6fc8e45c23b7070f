/**
 * All client errors. `code` is stable and documented in the OpenAPI file. Code 1023 is defined by OSIA data access 1.0.
 * The OpenAPI file shows `example` as an example message.
 */
export const clientErrors = {
  malformedJson: {
    code: 1001,
    status: 400,
    meaning: 'the body is not JSON, is nested too deeply or repeats a key',
    example: 'the body must be JSON (RFC 8259), in UTF-8',
  },
  invalidParameter: {
    code: 1002,
    status: 400,
    meaning: 'a value in the query, path or headers is invalid',
    example: 'limit in the query must be a number from 1 to 1000',
  },
  invalidBody: {
    code: 1003,
    status: 400,
    meaning: 'a field of the body is missing or invalid',
    example: 'the body must not be empty',
  },
  missingParameter: {
    code: 1004,
    status: 400,
    meaning: 'a required parameter is missing',
    example: 'name is required in the query',
  },
  unknownParameter: {
    code: 1005,
    status: 400,
    meaning: 'this operation does not accept this parameter',
    example: '"colour" is not a query parameter of this operation; it has: name',
  },
  repeatedParameter: {
    code: 1006,
    status: 400,
    meaning: 'a parameter is repeated',
    example: 'name must be given once in the query',
  },
  invalidEvent: {
    code: 1007,
    status: 400,
    meaning: 'an event lacks a field that its type requires',
    example: 'liveBirth: uin must be a UIN string',
  },
  invalidToken: {
    code: 1008,
    status: 400,
    meaning: 'the confirmation token is unknown, altered or expired',
    example: 'token is unknown, altered or expired; subscribe again to receive a new one',
  },
  unknownTopicName: {
    code: 1009,
    status: 400,
    meaning: 'the topic to publish or subscribe to does not exist',
    example: 'no topic has this uuid or name; create it with POST /v1/topics?name=',
  },
  answerTooLarge: {
    code: 1010,
    status: 400,
    meaning: 'the complete list is too large: request it in pages',
    example: 'the whole list is over 5 MB: request pages with limit=1000',
  },
  tooManyMatches: {
    code: 1011,
    status: 400,
    meaning: 'too many persons match: give more attributes',
    example: 'more than 1000 persons match: request pages (limit and offset), or give more attributes',
  },
  ambiguousDocument: {
    code: 1012,
    status: 400,
    meaning: 'several documents match: use secondaryUin to select one',
    example: 'the person has several documents of this type: use secondaryUin to select one',
  },
  addressDeclines: {
    code: 1013,
    status: 400,
    meaning: 'the owner of this mailbox has stopped confirmation requests',
    example: 'the owner of this mailbox has stopped confirmation requests',
  },
  idempotencyKeyReused: {
    code: 1014,
    status: 400,
    meaning: 'this Idempotency-Key was used with another body or subject',
    example: 'idempotency-key was already used for an event with another body or subject',
  },
  invalidAttribute: {
    code: 1020,
    status: 400,
    meaning: 'an attribute value is invalid',
    example: 'dateOfBirth must be a calendar date in the form YYYY-MM-DD, such as 2024-02-29',
  },
  unknownAttribute: {
    code: 1021,
    status: 400,
    meaning: 'this registry does not have this attribute',
    example: '"firstname" is not an attribute of this registry',
  },
  attributeNotReturned: {
    code: 1023,
    status: 200,
    meaning: 'returned in place of a value: the attribute is unknown, or the person does not have it',
    example: 'this person has no status',
  },
  unknownPerson: { code: 1040, status: 404, meaning: 'no person has this UIN', example: 'no person has this UIN' },
  unknownTopic: { code: 1041, status: 404, meaning: 'no topic has this uuid', example: 'no topic has this uuid' },
  unknownSubscription: {
    code: 1042,
    status: 404,
    meaning: 'no subscription has this uuid',
    example: 'no subscription has this uuid; GET /v1/subscriptions lists them',
  },
  unknownDocument: {
    code: 1043,
    status: 404,
    meaning: 'the person has no such document',
    example: 'the person has no such document',
  },
  unknownMessage: {
    code: 1044,
    status: 404,
    meaning: 'no message that matches the subscription has this id',
    example: 'no message of this subscription has this id',
  },
  unauthenticated: {
    code: 1401,
    status: 401,
    meaning: 'the access token is missing, expired or invalid',
    example: 'send a valid access token: Authorization: Bearer <token>',
  },
  forbidden: {
    code: 1403,
    status: 403,
    meaning: 'the access token lacks the required scope',
    example: 'the access token needs the scope notif.topic.write',
  },
  unknownRoute: {
    code: 1404,
    status: 404,
    meaning: 'no operation has this method and path',
    example: 'no operation has this method and path',
  },
  filtered: {
    code: 1405,
    status: 403,
    meaning:
      'the request was blocked before it reached the service: it looks like an attack, or its IP address has sent attacks',
    example: 'this request looks like an attack and was blocked: report request 5f2b1c1e-1f0a if it is legitimate',
  },
  notActive: {
    code: 1409,
    status: 409,
    meaning: 'the subscription is not confirmed or is paused: subscribe again and confirm',
    example: 'the subscription is not confirmed: subscribe again with the desired values, and confirm',
  },
  beingSentOut: {
    code: 1410,
    status: 409,
    meaning: 'the message is being sent: try again after the time in `Retry-After`',
    example: 'the message is being sent: try again in a minute',
  },
  bodyTooLarge: {
    code: 1413,
    status: 413,
    meaning: 'the body is larger than this operation accepts',
    example: 'the body must be at most 65536 bytes long',
  },
  unsupportedFormat: {
    code: 1415,
    status: 415,
    meaning: 'documents are not available in this format',
    example: 'format must be one of pdf, jpeg, png, tiff, webp',
  },
  unconvertible: {
    code: 1416,
    status: 415,
    meaning: 'this document cannot be converted. The message gives the reason',
    example: 'the document cannot be converted: it is encrypted',
  },
  throttled: {
    code: 1429,
    status: 429,
    meaning: 'too many requests: wait and try again',
    example: 'too many requests: wait a second and try again',
  },
  tooManyConfirmations: {
    code: 1430,
    status: 429,
    meaning: 'too many confirmation requests: try again after the time in `Retry-After`',
    example: 'this mailbox received five confirmation requests within a day: try again tomorrow',
  },
  askedTooOften: {
    code: 1431,
    status: 429,
    meaning:
      'too many test events, redeliveries or recoveries for one subscription: try again after the time in `Retry-After`',
    example: 'this subscription had 10 test events within the hour; try again in 600 seconds',
  },
  tooManyResults: {
    code: 1432,
    status: 429,
    meaning: 'the searches of one client found too many persons: try again after the time in `Retry-After`',
    example: 'the searches of this client found 10000 persons in a minute: try again in 20 seconds',
  },
  tooManySubscriptions: {
    code: 1433,
    status: 429,
    meaning: 'this client has too many subscriptions at one host: end some of them first',
    example: 'this client has 1000 subscriptions at this host: end some of them, then subscribe again',
  },
  unexpected: {
    code: 1500,
    status: 500,
    meaning: 'an internal error: the request id identifies the error in our logs',
    example: 'unexpected error on our side; report request 5f1f9c1e-4a4b-4c3d-9b8a-0d3a5e7c1b2d',
  },
  conversionFailed: {
    code: 1501,
    status: 500,
    meaning: 'a conversion ran out of time or memory: try again, or request the stored format',
    example: 'the conversion took too long: try again, or request the stored format',
  },
  timedOut: {
    code: 1504,
    status: 504,
    meaning: 'no response in time: try again',
    example: 'no response in time; try again',
  },
} as const satisfies Record<string, { code: number; status: number; meaning: string; example: string }>;

export type ClientErrorName = keyof typeof clientErrors;

/** Callers see only the messages of client errors. All other errors are internal errors with status 500. */
export class ClientError extends Error {
  readonly errorName: ClientErrorName;
  /** The number of seconds after which a retry may succeed, if known. */
  readonly retryAfterSeconds: number | undefined;

  /** @param message describes the error and how to correct it; never contains an attribute value or a token */
  constructor(refusal: ClientErrorName, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'ClientError';
    this.errorName = refusal;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
