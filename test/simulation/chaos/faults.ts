import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { SQSServiceException } from '@aws-sdk/client-sqs';
import type { Interference } from '../../harness/interference.ts';
import type { Chance } from '../clock/chance.ts';
import { actor, silence } from '../clock/life.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { type Copy, copyAtWork } from '../lambda/platform.ts';
import type { History } from './history.ts';

/** How often, of calls (and so on), what goes wrong goes wrong. */
export interface Odds {
  readonly crash: number;
  readonly throttle: number;
  readonly lostAnswer: number;
  /** An operation is down for a while, for everybody and however often the SDK tries. */
  readonly outage: number;
  readonly slow: number;
  readonly shownTwice: number;
  readonly refusedEntry: number;
  readonly lostDelete: number;
}

type Kind = 'crash before' | 'crash after' | 'throttle' | 'lost answer' | 'outage' | 'slow';

type Strikes = Pick<Odds, 'throttle' | 'lostAnswer' | 'outage' | 'slow'>;
const none: Strikes = { throttle: 0, lostAnswer: 0, outage: 0, slow: 0 };

const $metadata = { httpStatusCode: 400 };

function throttled(command: string, chance: Chance): Error {
  const message = 'too much';
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

const lost = (): Error =>
  Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET', $metadata: {} });

export interface FaultTools {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly history: History;
  readonly odds: Odds;
  /** Epoch milliseconds from which nothing goes wrong any more. */
  readonly until: number;
  readonly trace: (what: string) => void;
}

/** What goes wrong between functions and everything that they call. */
export function faultsOf({ clock, chance, history, odds, until, trace }: FaultTools) {
  const isOn = (): boolean => clock.now() < until;
  /** Until when an operation is down. */
  const downUntil = new Map<string, number>();

  /** Notes with the run that acts now what strikes it. */
  function note<Struck extends Kind>(kind: Struck, command: string): Struck {
    history.runOf(copyAtWork())?.strikes.push({ at: clock.now(), what: `${kind} ${command}` });
    trace(`!! ${kind}: ${command}`);
    return kind;
  }

  /** Decides what becomes of a call. */
  function strike(command: string, { throttle, lostAnswer, outage, slow }: Strikes = odds): Kind | undefined {
    const copy = copyAtWork();
    if (copy?.invocation === undefined || !isOn()) return undefined;
    if ((downUntil.get(command) ?? 0) > clock.now()) return note('outage', command);
    const { crash } = odds;
    const kind = chance.weighed<Kind | 'none'>({
      none: Math.max(0, 1 - crash - throttle - lostAnswer - outage - slow),
      'crash before': crash / 2,
      'crash after': crash / 2,
      throttle,
      'lost answer': lostAnswer,
      outage,
      slow,
    });
    if (kind === 'none') return undefined;
    if (kind === 'outage') downUntil.set(command, Math.min(until, clock.now() + chance.int(100, 90_000)));
    return note(kind, command);
  }

  const die = (): Promise<never> => {
    (copyAtWork() as Copy).stop('died');
    return silence;
  };

  /** Around each attempt of the SDK at a request. */
  const wire: Interference['wire'] = async (call, go) => {
    const life = actor();
    if (life === undefined) return go();
    if (life.isOver) return silence;
    const kind = strike(call.command);
    await clock.sleep(kind === 'slow' ? chance.int(1000, 20_000) : 1 + 4 * chance.next());
    if (kind === 'crash before') return die();
    if (kind === 'throttle') throw throttled(call.command, chance);
    if (kind === 'outage') throw broken(call.command);
    const output = await go();
    if (kind === 'crash after') return die();
    await clock.sleep(1 + 4 * chance.next());
    if (kind === 'lost answer') throw lost();
    return output;
  };

  return {
    isOn,
    /** Whether the function dies before or after it sends to a receiver. */
    strikePost: (): Kind | undefined => strike('POST', none),
    die,
    wire,
    /** What queues do by themselves. */
    whims: {
      showsAgainAfter: () => (isOn() && chance.happens(odds.shownTwice) ? chance.int(0, 90_000) : undefined),
      order: <Value>(_: unknown, messages: Value[]) => (isOn() ? chance.shuffle(messages) : messages),
      refuses: () => {
        const isRefused = isOn() && chance.happens(odds.refusedEntry);
        if (isRefused) note('outage', 'an entry of a batch');
        return isRefused;
      },
    },
    /** Lambda's own deletes are lost now and then: what was done is shown again. */
    losesDelete: () => isOn() && chance.happens(odds.lostDelete),
  };
}

export type Faults = ReturnType<typeof faultsOf>;
