import {
  DynamoDBServiceException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { SQSServiceException } from '@aws-sdk/client-sqs';
import { reconcileAfterMs } from '../../../shared/domain/deliveries/times.ts';
import type { Item } from '../../../shared/storage/dynamo.ts';
import type { Interference } from '../../harness/interference.ts';
import { currentActor, neverResolves, runAs } from '../clock/actor.ts';
import type { Chance } from '../clock/chance.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { currentInstance, type Instance } from '../lambda/platform.ts';
import { type History, idsIn, type Run } from './history.ts';

/** The probability of each fault per call or per message. */
export interface Odds {
  readonly crash: number;
  readonly throttle: number;
  /** The probability that a call is rejected with an error that the SDK does not retry. */
  readonly denied: number;
  readonly lostResponse: number;
  /**
   * The probability that the operation starts to fail for every caller, for up to 90 seconds. An outage usually lasts
   * longer than the SDK's retries.
   */
  readonly outage: number;
  readonly slow: number;
  readonly shownTwice: number;
  readonly rejectedEntry: number;
  readonly lostDelete: number;
  readonly late: number;
  readonly unprocessed: number;
  readonly retired: number;
  /** The probability that an operator empties a function's queue after a run of the function crashes. */
  readonly emptied: number;
}

type Kind =
  | 'crash before'
  | 'crash during'
  | 'crash after'
  | 'delayed'
  | 'throttle'
  | 'denied'
  | 'lost response'
  | 'outage'
  | 'slow'
  | 'refused';

// A copy of a message may arrive while the first copy is being processed, or much later. A message may arrive after the
// sweeper has resumed the message's row (5 minutes) or reconciled the message (10 minutes).
const repeatAfterMs = [5, 5, 30, 500, 15_000, 90_000, 15 * 60_000, 3 * 3_600_000];
const lateMs = [
  { least: 0, most: 60_000 },
  { least: 570_000, most: 690_000 },
  { least: 0, most: 900_000 },
];

/** Returns the time from the publication of a message until shortly before the sweeper reconciles the message. */
function untilReconciliation(now: number, chance: Chance): number {
  const afterMs = reconcileAfterMs + chance.pick([0, 60_000]);
  const sweptAt = Math.ceil((now + afterMs) / 60_000) * 60_000;
  return sweptAt - now - chance.int(0, chance.pick([150, 5000]));
}

// Few seeds have more than 300 faults, but in some seeds, the copies of an import message multiply until the faults
// end.
const maxFaults = 500;

// Most function runs are shorter than an outage of 90 seconds.
const outageMs = [1000, 10_000, 90_000];

// Late requests can arrive after their lease has ended, but before a closed parking row is deleted (`graceMs`).
const mostLateMs = 240_000;

interface Request {
  readonly TableName?: string;
  readonly Key?: object;
  readonly Item?: Item;
  readonly TransactItems?: readonly {
    readonly Update?: { readonly Key?: object };
    readonly Put?: { readonly Item?: Item };
  }[];
  readonly Entries?: readonly { MessageBody: string }[];
}

/** Returns the key of the row that a request changes, or of the first row that a transaction changes. */
const rowIn = ({ Key, TransactItems }: Request): string => JSON.stringify(Key ?? TransactItems?.[0]?.Update?.Key) ?? '';

/**
 * Returns whether a request registers a person. A late registration could restore a person who was removed in the
 * meantime. A condition on the tombstone would prevent such restorations, but would quadruple the writes of an import.
 */
const isRegistration = ({ TableName, Item }: Request): boolean =>
  TableName === 'persons' && Item?.id?.S?.startsWith('person#') === true;

type CallOdds = Pick<Odds, 'throttle' | 'denied' | 'lostResponse' | 'outage' | 'slow'>;
const none: CallOdds = { throttle: 0, denied: 0, lostResponse: 0, outage: 0, slow: 0 };

const $metadata = { httpStatusCode: 400 };

function throttled(command: string, chance: Chance): Error {
  const message = 'too many requests';
  if (command === 'TransactWriteItems') {
    const Code = chance.pick(['ThrottlingError', 'TransactionConflict', 'ProvisionedThroughputExceeded']);
    return new TransactionCanceledException({ $metadata, message, CancellationReasons: [{ Code: 'None' }, { Code }] });
  }
  if (/Item|Query|Scan/.test(command))
    return chance.happens(0.5)
      ? new ThrottlingException({ $metadata, message })
      : new ProvisionedThroughputExceededException({ $metadata, message });
  if (/Object/.test(command)) return new S3ServiceException({ name: 'SlowDown', $fault: 'server', message, $metadata });
  return new SQSServiceException({ name: 'RequestThrottled', $fault: 'client', message, $metadata });
}

const broken = (command: string): Error =>
  /Object/.test(command)
    ? new S3ServiceException({
        name: 'InternalError',
        $fault: 'server',
        message: 'down',
        $metadata: { httpStatusCode: 500 },
      })
    : /Item|Query|Scan/.test(command)
      ? new InternalServerError({ $metadata: { httpStatusCode: 500 }, message: 'down' })
      : new SQSServiceException({ name: 'InternalError', $fault: 'server', message: 'down', $metadata });

const denied = (): Error =>
  new DynamoDBServiceException({ $metadata, name: 'AccessDeniedException', $fault: 'client', message: 'not allowed' });

const lost = (): Error =>
  Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET', $metadata: {} });

interface FaultTools {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly history: History;
  readonly odds: Odds;
  /** The time at which the injection of faults ends, in epoch milliseconds. */
  readonly until: number;
  /**
   * The code version that half of the instances run while faults occur. Undefined if all instances run the current
   * version.
   */
  readonly otherVersion: 'older' | 'newer' | undefined;
  readonly trace: (what: string) => void;
}

// Optional attributes, with the values that an older version of the code omits.
const unknown = ',"ofNewerVersion":{"part":"unknown"}}';
const added: Readonly<Record<string, unknown>> = { base: 0, isConfirmation: false };

/**
 * Changes a request into the request that another version of the code would send. A newer version adds unknown
 * attributes to rows and messages, and an older version omits optional attributes.
 */
function sendAs(version: 'older' | 'newer', { Item, TransactItems = [], Entries = [], ...rest }: Request): void {
  const bodies = 'MessageBody' in rest ? [rest as { MessageBody: string }] : Entries;
  for (const item of [Item, ...TransactItems.map(({ Put }) => Put?.Item)]) {
    if (item !== undefined && version === 'newer') item.ofNewerVersion = { M: { part: { S: 'unknown' } } };
    for (const [name, value] of Object.entries(item ?? {}))
      if (version === 'older' && name in added && (value.BOOL ?? Number(value.N)) === added[name]) delete item?.[name];
  }
  for (const entry of version === 'newer' ? bodies : [])
    if (!entry.MessageBody.endsWith(unknown)) entry.MessageBody = entry.MessageBody.replace(/\}$/, unknown);
}

const hasRefusals = (result: unknown): boolean =>
  ((result as { output: { Failed?: readonly unknown[] } }).output.Failed ?? []).length > 0;

/** Returns hooks that inject faults when functions call services. */
export function faultsOf({ clock, chance, history, odds, until, otherVersion, trace }: FaultTools) {
  let count = 0;
  const isOn = (): boolean => clock.now() < until && count < maxFaults;
  /** The end times of outages in epoch milliseconds, keyed by operation. */
  const downUntil = new Map<string, number>();
  /** Requests whose callers have stopped waiting, keyed by the row that they change. */
  const lateRequests = new Map<string, () => void>();

  /** Records a fault in the history of the current function run. */
  function recordFault<Struck extends Kind>(kind: Struck, command: string): Struck {
    count += 1;
    history.runOf(currentInstance())?.faults.push({ at: clock.now(), what: `${kind} ${command}` });
    trace(`!! ${kind}: ${command}`);
    return kind;
  }

  function drawFault(
    command: string,
    { throttle, denied, lostResponse, outage, slow }: CallOdds = odds,
  ): Kind | undefined {
    const instance = currentInstance();
    if (instance?.invocation === undefined || !isOn()) return undefined;
    if ((downUntil.get(command) ?? 0) > clock.now()) return recordFault('outage', command);
    const { crash } = odds;
    const kind = chance.weighed<Exclude<Kind, 'refused'> | 'none'>({
      none: Math.max(0, 1 - crash - throttle - denied - lostResponse * (4 / 3) - outage - slow),
      'crash before': crash / 4,
      'crash during': crash / 2,
      'crash after': crash / 4,
      delayed: lostResponse / 3,
      throttle,
      denied,
      'lost response': lostResponse,
      outage,
      slow,
    });
    if (kind === 'none') return undefined;
    if (kind === 'outage')
      downUntil.set(command, Math.min(until, clock.now() + chance.int(100, chance.pick(outageMs))));
    return recordFault(kind, command);
  }

  const versions = new WeakMap<object, FaultTools['otherVersion']>();
  function versionOf(instance: object): FaultTools['otherVersion'] {
    if (!versions.has(instance)) versions.set(instance, chance.happens(0.5) ? otherVersion : undefined);
    return versions.get(instance);
  }

  const die = (): Promise<never> => {
    (currentInstance() as Instance).stop('crashed');
    return neverResolves();
  };

  /**
   * Applies a request after its caller has stopped waiting for the response. In the deliveries table, the caller's
   * lease may have ended by then, and another run may just have read or changed the row.
   */
  function applyLater(input: Request, go: () => Promise<unknown>): void {
    const caller = { ...(currentInstance() as Instance), isOver: false };
    const [isDelivery, row] = [input.TableName === 'deliveries' || input.TransactItems !== undefined, rowIn(input)];
    let isApplied = false;
    const apply = (): void => {
      if (!isApplied) runAs(caller, () => void go().catch(() => {}));
      isApplied = true;
      lateRequests.delete(row);
    };
    if (isDelivery && row !== '') lateRequests.set(row, apply);
    // Most delays are short, because the judge excuses violations that occur near a late request.
    const mostMs = chance.happens(0.1) ? mostLateMs : 60_000;
    const afterMs = Math.min(chance.int(0, isDelivery ? mostMs : 5000), until - clock.now());
    runAs(undefined, () => clock.after(afterMs, apply));
  }

  /** The runs that made the SDK calls, keyed by call. */
  const callers = new WeakMap<object, Run | undefined>();

  /** Injects faults into each attempt of an SDK call. */
  const wire: Interference['wire'] = async (call, go) => {
    const actor = currentActor();
    if (actor === undefined) return go();
    if (actor.isOver) return neverResolves();
    // The retries of a call may continue in the next run of the same instance.
    if (!callers.has(call)) callers.set(call, history.runOf(currentInstance()));
    if (call.command === 'SendMessageBatch') history.work.sent += (call.input as { Entries: unknown[] }).Entries.length;
    const version = otherVersion === undefined || !isOn() ? undefined : versionOf(actor);
    if (version !== undefined) sendAs(version, call.input);
    const kind = drawFault(call.command);
    await clock.sleep(kind === 'slow' ? chance.int(1000, 20_000) : 2 + 8 * chance.next());
    if (kind === 'crash before') return die();
    if (kind === 'throttle') throw throttled(call.command, chance);
    if (kind === 'denied') throw denied();
    if (kind === 'outage') throw broken(call.command);
    const isWrite = !/^(Get|Query|Scan|BatchGet|Head|List)/.test(call.command);
    if (kind === 'crash during' || kind === 'delayed') {
      if (isWrite && !isRegistration(call.input)) applyLater(call.input, go);
      if (kind === 'crash during') return die();
      await clock.sleep(chance.int(500, 3000));
      throw lost();
    }
    const output = await go().finally(() => {
      const late = lateRequests.size > 0 ? lateRequests.get(rowIn(call.input)) : undefined;
      if (late !== undefined) runAs(undefined, () => clock.after(chance.int(1, 20), late));
    });
    if (kind === 'crash after') return die();
    if (kind !== 'lost response') {
      const caller = callers.get(call);
      if (caller !== undefined && hasRefusals(output)) caller.hasRefusals = true;
      return output;
    }
    await clock.sleep(1 + 4 * chance.next());
    throw lost();
  };

  return {
    isOn,
    /** Randomly decides whether the process crashes before or after a POST request to a receiver. */
    drawPostFault: (): Kind | undefined => drawFault('POST', none),
    die,
    wire,
    /** Irregular behaviour of queues that the SQS documentation permits. */
    quirks: {
      showsAgainAfter: () =>
        isOn() && chance.happens(odds.shownTwice) ? chance.int(0, chance.pick(repeatAfterMs)) : undefined,
      arrivesLateBy: (_: unknown, { body }: { body: string }, delayMs: number) => {
        if (!isOn() || !chance.happens(odds.late)) return 0;
        const { least, most } = chance.pick(lateMs);
        // A reconciliation reads only the records of batch deliveries.
        const isReconciled = !body.includes('"isSingle":true') && chance.happens(0.5);
        const byMs = isReconciled ? untilReconciliation(clock.now(), chance) : chance.int(least, most);
        for (const at of [clock.now(), clock.now() + delayMs + byMs]) history.delays.push({ at, about: idsIn(body) });
        return byMs;
      },
      order: <Value>(_: unknown, messages: Value[]) => (isOn() ? chance.shuffle(messages) : messages),
      rejectsEntry: () => {
        const isRejected = isOn() && chance.happens(odds.rejectedEntry);
        if (isRejected) recordFault('refused', 'one entry of a batch');
        return isRejected;
      },
    },
    /** Returns whether a batch request leaves a row unprocessed. */
    leavesRow: () => {
      const isLeft = isOn() && currentInstance() !== undefined && chance.happens(odds.unprocessed);
      if (isLeft) recordFault('refused', 'one row of a batch');
      return isLeft;
    },
    /** Returns whether an operator empties the function's queue after a run crashes. */
    emptiesQueue: () => isOn() && chance.happens(odds.emptied),
    /** Returns whether Lambda ends an instance that has become idle. */
    retires: () => isOn() && chance.happens(odds.retired),
    /**
     * Returns whether Lambda fails to delete a processed message, so that the message becomes visible in the queue
     * again.
     */
    losesDelete: () => isOn() && chance.happens(odds.lostDelete),
  };
}

export type Faults = ReturnType<typeof faultsOf>;
