/**
 * All internal errors, by name. Each message says what failed and, if useful, what to check. The log line contains the
 * ids as fields. Ids never contain an attribute value, an address, a token or a body.
 */
export const internalErrors = {
  missingVariable: {
    message: 'an environment variable that the function reads is not set: deploy the stack again',
    ids: ['variable'],
  },
  unacceptableVariable: {
    message: 'the value of an environment variable is invalid for its setting: correct the setting and deploy again',
    ids: ['variable'],
  },
  missingPermission: {
    message: 'a store does not have the permission that the function declares',
    ids: ['store', 'capability'],
  },
  undeclaredStatus: {
    message: 'a function returned a status that its endpoint does not declare',
    ids: ['operation', 'answeredStatus'],
  },
  outOfTime: {
    message: 'a request ran out of time and returned 500: check DynamoDB and S3 for throttling',
    ids: ['operation'],
  },
  rowsUnread: {
    message: 'a read from DynamoDB was incomplete when the function ran out of time; the read is retried',
    ids: ['count'],
  },
  rowsUnwritten: {
    message: 'a write to DynamoDB was incomplete when the function ran out of time',
    ids: ['count'],
  },
  notJournaled: {
    message:
      'a request returned 500 because it could not be recorded in the journal: check the table journal in DynamoDB',
    ids: ['operation'],
  },
  eventNotJournaled: {
    message:
      'an event was not sent, because its journal rows could not be written: the event is retried and eventually moves to the dead-letter queue',
    ids: ['messageId'],
  },
  unreadableInput: {
    message:
      'a job was started with an invalid input and did nothing: infra/runbook/reference.md, Jobs, lists the inputs',
    ids: ['job'],
  },
  indexStateContended: {
    message:
      'a job could not save its change to the search indexes, because other runs changed them at the same time: run the job again',
    ids: [],
  },
  unknownIndex: {
    message: 'a job did nothing, because the search index that it should withdraw does not exist',
    ids: [],
  },
  unknownIndexOfRun: {
    message: 'a job fills a search index that this release does not have: run reindexPersons',
    ids: ['run', 'index'],
  },
  indexNeverBuilt: {
    message:
      'a search index was not built within a day: check the status of the index, and run reindexPersons when the index is active',
    ids: ['run'],
  },
  indexUnbuilt: {
    message:
      'a search index cannot be queried, so searches use the other indexes: infra/runbook/people-and-imports.md, Add a search index',
    ids: ['index'],
  },
  failingRows: {
    message:
      'a job stopped because several consecutive rows failed: fix the errors in the previous log lines, and run the job again',
    ids: ['job', 'redelivered', 'expired', 'faults'],
  },
  emptyBatch: { message: 'a worker received a batch without records', ids: ['worker'] },
  unreadablePayload: {
    message: 'a worker cannot read a payload, which goes to the dead-letter queue: did another version send it?',
    ids: ['worker'],
  },
  missingResult: { message: 'a worker returned fewer results than it received payloads', ids: ['worker'] },
  messagesRefused: {
    message: 'SQS rejected some messages of a batch: `code` gives the reason',
    ids: ['queue', 'count', 'code'],
  },
  queueMissed: {
    message: 'a message is in the table deliveries but not in its queue: the sweeper sends it a few minutes late',
    ids: ['messageId', 'taskKey'],
  },
  deliveryNotStored: {
    message:
      'a message is in its queue but not in the table deliveries: the sweeper cannot recover it if the queue loses it',
    ids: ['messageId', 'taskKey'],
  },
  keptNowhere: {
    message: 'a message was written neither to its queue nor to the table deliveries, so the caller received 500',
    ids: ['messageId', 'taskKey'],
  },
  keyUndecided: {
    message:
      'it is unknown whether an Idempotency-Key was used, so the caller received 500: repeating the request is safe',
    ids: ['messageId'],
  },
  unreadableRow: {
    message: 'a row of the table deliveries is unreadable and was skipped: did another version write it?',
    ids: ['messageId', 'taskKey'],
  },
  unreadableEntry: {
    message: 'a row of the journal is unreadable and is exported unchanged: did another version write it?',
    ids: ['moment'],
  },
  stuckTask: {
    message:
      'a delivery (a publication if the key is "message") had no result after three attempts: fix the cause, then redeliver it',
    ids: ['messageId', 'taskKey'],
  },
  missingBody: {
    message: 'the body of a message to deliver is missing',
    ids: ['messageId'],
  },
  mailQuotaSpent: {
    message: 'the daily SES sending quota is used up, and emails are delayed: request a higher quota from AWS',
    ids: ['worker'],
  },
  incompleteIndex: {
    message: 'a row of an index lacks attributes that the index should project: compare the index with the stack',
    ids: ['index', 'topic'],
  },
  missingSecret: {
    message: 'a secret has no current version: set one in Secrets Manager',
    ids: ['secret'],
  },
  staleSecret: {
    message:
      'a secret cannot be refreshed: the cached value remains in use, and rotations of the secret have no effect',
    ids: ['secret'],
  },
  keysRefused: {
    message: 'the token issuer does not return its keys: check the oidcJwksUri setting and the issuer',
    ids: ['answeredStatus'],
  },
  unreadableKeys: {
    message: 'the token issuer does not return a JSON Web Key Set: check the oidcJwksUri setting and the issuer',
    ids: [],
  },
  staleKeys: {
    message:
      "the issuer's keys cannot be refreshed: the cached keys remain valid for a few hours, and after that every request with an access token is rejected",
    ids: ['keptHours'],
  },
  suppressionKept: {
    message:
      'an address may still be on the suppression list, because SES did not confirm its removal: run the job again',
    ids: [],
  },
  personContended: {
    message: 'another client repeatedly changed a person during an import: the import continues automatically',
    ids: ['importId', 'line'],
  },
  noFreeNumber: {
    message: 'all UINs generated for a new person are already in use: increase the uinLength setting',
    ids: ['draws'],
  },
  poorRandomness: { message: 'no UIN could be generated, because the random numbers do not vary', ids: ['draws'] },
  missingContent: { message: 'S3 returned a stored document without its content', ids: [] },
  brokenConversion: {
    message: 'a document conversion failed with an unexpected error',
    ids: ['kind'],
  },
  unexpectedTiff: {
    message: 'the image library wrote a TIFF that cannot be joined with other TIFFs',
    ids: ['part'],
  },
} as const satisfies Record<string, { message: string; ids: readonly string[] }>;

export type InternalErrorName = keyof typeof internalErrors;

/** The ids that an internal error declares. */
export type InternalErrorIds<Name extends InternalErrorName> = Readonly<
  Record<(typeof internalErrors)[Name]['ids'][number], string | number>
>;

/** An internal error. The error's name, message and ids may be logged. */
export class InternalError<Name extends InternalErrorName = InternalErrorName> extends Error {
  override readonly name = 'InternalError';
  readonly errorName: InternalErrorName;
  readonly ids: Readonly<Record<string, string | number>>;

  /** @param cause the original error; only its kind is logged */
  constructor(fault: Name, ids: InternalErrorIds<Name>, cause?: unknown) {
    const told = Object.entries(ids).map(([id, value]) => `${id} ${value}`);
    const { message } = internalErrors[fault];
    super(`${fault}: ${message}${told.length > 0 ? ` (${told.join(', ')})` : ''}`, { cause });
    this.errorName = fault;
    this.ids = ids;
  }
}
