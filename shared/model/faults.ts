/**
 * What can break on our side, by name, as the log tells it. `message` says in plain words what broke and, where that
 * helps, what to look at. `ids` are all that a line carries beside: never an attribute value, an address, a token or a
 * body.
 */
export const faults = {
  missingVariable: {
    message: 'an environment variable that the function reads is not set: deploy the stack again',
    ids: ['variable'],
  },
  unacceptableVariable: {
    message: 'an environment variable holds what its setting does not take: correct the setting and deploy again',
    ids: ['variable'],
  },
  missingPermission: {
    message: 'a store does not have the permission that the function declares',
    ids: ['store', 'capability'],
  },
  undeclaredStatus: {
    message: 'a function answered with a status that its endpoint does not declare',
    ids: ['operation', 'answeredStatus'],
  },
  outOfTime: {
    message: 'a request was answered 500 because its time was over: look at what DynamoDB and S3 say of throttling',
    ids: ['operation'],
  },
  rowsUnread: {
    message: 'rows were left unread by DynamoDB until the time of the function was over; they are tried again',
    ids: ['count'],
  },
  rowsUnwritten: {
    message: 'rows were left unwritten by DynamoDB until the time of the function was over',
    ids: ['count'],
  },
  notJournaled: {
    message:
      'a request was answered 500 because the journal did not take who asked: look at what DynamoDB says of the table journal',
    ids: ['operation'],
  },
  eventNotJournaled: {
    message:
      'an event was sent out, but the journal did not take of whom it told: it is tried again, and in the end put aside with the dead letters',
    ids: ['messageId'],
  },
  unreadableInput: {
    message:
      'a job was started with an input that it does not take, and did nothing: infra/RUNBOOK.md, Operate, says what jobs take',
    ids: ['job'],
  },
  indexStateContended: {
    message: 'a job could not note what it did about search indexes, for others were faster: run it again',
    ids: [],
  },
  unknownIndex: {
    message: 'a job was to withdraw a search index that nobody knows, and did nothing',
    ids: [],
  },
  unknownIndexOfRun: {
    message: 'a search index was being filled that this release does not have: run reindexPersons',
    ids: ['run', 'index'],
  },
  indexNeverBuilt: {
    message: 'a search index was not built in a day: look at its status, and run reindexPersons when it is active',
    ids: ['run'],
  },
  indexUnbuilt: {
    message: 'a search index cannot be asked, and searches go by the others: infra/RUNBOOK.md, Add a search index',
    ids: ['index'],
  },
  failingRows: {
    message: 'a job ended because row after row failed: mend what the lines before name, and run it again',
    ids: ['job', 'redelivered', 'expired', 'faults'],
  },
  emptyBatch: { message: 'a worker was started with a batch that has no records', ids: ['worker'] },
  unreadablePayload: {
    message: 'a worker cannot read a payload, which goes to the dead letters: did another version send it?',
    ids: ['worker'],
  },
  missingResult: { message: 'a worker answered fewer results than it was given payloads', ids: ['worker'] },
  messagesRefused: {
    message: 'SQS refused some messages of a batch, for the reason that its code says',
    ids: ['queue', 'count', 'code'],
  },
  queueMissed: {
    message: 'a message stands in the ledger but not in its queue: the sweeper sends it, some minutes late',
    ids: ['messageId', 'taskKey'],
  },
  ledgerMissed: {
    message:
      'a message stands in its queue but not in the ledger: were the queue to lose it now, nothing would find it',
    ids: ['messageId', 'taskKey'],
  },
  keptNowhere: {
    message: 'a message could be written neither to its queue nor to the ledger, and its caller was answered 500',
    ids: ['messageId', 'taskKey'],
  },
  keyUndecided: {
    message:
      'the ledger did not say whether an Idempotency-Key is used, and its caller was answered 500: asking again with the key is safe',
    ids: ['messageId'],
  },
  unreadableRow: {
    message: 'a row of the ledger cannot be read and was passed over: did another version write it?',
    ids: ['messageId', 'taskKey'],
  },
  unreadableEntry: {
    message: 'a row of the journal cannot be read, and is exported as the table has it: did another version write it?',
    ids: ['moment'],
  },
  stuckTask: {
    message:
      'what was sent again three times came to no outcome; with the key "message" a whole publication: mend the cause, redeliver it',
    ids: ['messageId', 'taskKey'],
  },
  missingBody: {
    message: 'the ledger does not have the body of a message that is to be delivered',
    ids: ['messageId'],
  },
  mailQuotaSpent: {
    message: 'the mails that SES allows in 24 hours are spent, and mail waits: ask AWS for a higher sending quota',
    ids: ['worker'],
  },
  incompleteIndex: {
    message: 'a row of an index lacks attributes that the index should hold: compare it with the stack',
    ids: ['index', 'topic'],
  },
  missingSecret: {
    message: 'a secret has no version in force: give it one in Secrets Manager',
    ids: ['secret'],
  },
  staleSecret: {
    message:
      'a secret cannot be read again: what was read before stays in use, and a rotation does not come into force',
    ids: ['secret'],
  },
  keysRefused: {
    message:
      'the issuer of access tokens does not give out its keys: look at the setting oidcJwksUri, and at the issuer',
    ids: ['answeredStatus'],
  },
  unreadableKeys: {
    message: 'what the issuer gives out is no JSON Web Key Set: look at the setting oidcJwksUri, and at the issuer',
    ids: [],
  },
  staleKeys: {
    message:
      'the keys of the issuer cannot be read again: those read before serve for some hours, then every request is refused',
    ids: ['keptHours'],
  },
  suppressionKept: {
    message:
      'an address was not taken off the suppression list as far as SES answered: look at the status, and run the job again',
    ids: [],
  },
  documentUnmovable: {
    message:
      'a document of somebody who was merged with another cannot follow: infra/RUNBOOK.md, Changes by file, has what S3 does not copy',
    ids: [],
  },
  personContended: {
    message: 'a person was changed by somebody else again and again while an import did: it goes on by itself',
    ids: ['importId', 'line'],
  },
  noFreeNumber: {
    message: 'every number that was drawn for a person is taken: raise the setting uinLength',
    ids: ['draws'],
  },
  poorRandomness: { message: 'no number could be drawn: the random source does not vary', ids: ['draws'] },
  missingContent: { message: 'S3 answered a stored document without its content', ids: [] },
  brokenConversion: {
    message: 'a conversion of a document ended by an error that nobody foresaw, of this kind',
    ids: ['kind'],
  },
  unexpectedTiff: {
    message: 'the image library wrote a TIFF that cannot be joined with others',
    ids: ['part'],
  },
} as const satisfies Record<string, { message: string; ids: readonly string[] }>;

export type FaultName = keyof typeof faults;

/** The ids that a fault is told with, each of which its entry names. */
export type FaultIds<Name extends FaultName> = Readonly<Record<(typeof faults)[Name]['ids'][number], string | number>>;

/** An error of our own, which may be logged as a whole: its name, its message and its ids. */
export class Fault<Name extends FaultName = FaultName> extends Error {
  override readonly name = 'Fault';
  readonly fault: FaultName;
  readonly ids: Readonly<Record<string, string | number>>;

  /** @param cause the error that it came from, of which only its kind is logged */
  constructor(fault: Name, ids: FaultIds<Name>, cause?: unknown) {
    const told = Object.entries(ids).map(([id, value]) => `${id} ${value}`);
    const { message } = faults[fault];
    super(`${fault}: ${message}${told.length > 0 ? ` (${told.join(', ')})` : ''}`, { cause });
    this.fault = fault;
    this.ids = ids;
  }
}
