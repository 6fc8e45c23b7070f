import { OptionError, parseArguments } from '../../../infra/operate/command-line.ts';
import { type SettingName, schemaOf, settings } from '../../../shared/contract/settings.ts';
import type { GivenSettings } from '../../harness/variables.ts';

/** The behaviour of HTTP receivers. Shares are numbers from 0 to 1. */
export interface ReceiverMix {
  /** The median response time of a healthy receiver, in milliseconds. */
  readonly p50Ms: number;
  /** The share of receivers that accept requests but never respond. */
  readonly hang: number;
  /** The share of receivers that refuse connections. */
  readonly down: number;
  /** The share of deliveries whose first attempt fails and whose second attempt succeeds. */
  readonly once: number;
}

export interface ScaleOptions {
  readonly subscribers: number;
  readonly events: number;
  readonly rate: number;
  readonly receivers: ReceiverMix;
  readonly bodyBytes: number;
  readonly concurrency: number;
  readonly minutes: number;
  readonly policy: { readonly countdownSeconds: number; readonly maxRetries: number };
  /** The settings of the deployment that differ from the defaults. */
  readonly settings: GivenSettings;
  readonly seed: number;
}

function number(name: string, text: string, min = 0): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < min)
    throw new OptionError(`--${name} must be a number of at least ${min}, not "${text}"`);
  return value;
}

function share(name: string, text: string): number {
  const value = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (value === undefined || Number(value) > 100)
    throw new OptionError(`--receivers: ${name} must be a percentage such as 1%, not "${text}"`);
  return Number(value) / 100;
}

function receiverMix(text: string): ReceiverMix {
  const mix = { p50Ms: 80, hang: 0, down: 0, once: 0 };
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=');
    if (name === 'hang' || name === 'down' || name === 'once') mix[name] = share(name, value);
    else if (name === 'p50' && /^\d+(?:\.\d+)?ms$/.test(value)) mix.p50Ms = Number(value.slice(0, -2));
    else throw new OptionError(`--receivers must look like p50=80ms,hang=1%,down=2%, not "${part}"`);
  }
  if (mix.hang + mix.down > 1) throw new OptionError('--receivers: hang and down exceed 100 %');
  return mix;
}

function bytes(name: string, text: string): number {
  const [, count, unit] = /^(\d+)(B|KB)$/.exec(text) ?? [];
  if (count === undefined) throw new OptionError(`--${name} must look like 1KB, not "${text}"`);
  return Number(count) * (unit === 'KB' ? 1024 : 1);
}

function givenSettings(text: string): GivenSettings {
  const pairs = text === '' ? [] : text.split(',').map((part) => part.split('='));
  for (const [name = '', value = ''] of pairs) {
    if (!Object.hasOwn(settings, name)) throw new OptionError(`--settings: there is no setting "${name}"`);
    const { error } = schemaOf(settings[name as SettingName]).safeParse(value);
    if (error) throw new OptionError(`--settings: ${name} does not accept "${value}": ${error.issues[0]?.message}`);
  }
  return Object.fromEntries(pairs);
}

function policyOf(text: string): ScaleOptions['policy'] {
  const [, countdown, retries] = /^(\d+),(-1|\d+)$/.exec(text) ?? [];
  if (countdown === undefined) throw new OptionError(`--policy must look like 3600,168, not "${text}"`);
  return { countdownSeconds: Number(countdown), maxRetries: Number(retries) };
}

const text = (value: string) => ({ type: 'string', default: value }) as const;

/**
 * Parses the arguments of scale mode.
 * @throws OptionError for an invalid argument
 */
export function readScaleOptions(args: readonly string[]): ScaleOptions {
  const options = {
    subscribers: text('1000000'),
    events: text('1'),
    rate: text('100'),
    receivers: text('p50=80ms,hang=1%,down=2%'),
    body: text('1KB'),
    concurrency: text('1000'),
    minutes: text('30'),
    policy: text('3600,168'),
    settings: text(''),
    seed: text('1'),
  } as const;
  const { values } = parseArguments(args, options, 'npm run simulate -- --help');
  return {
    subscribers: number('subscribers', values.subscribers),
    events: number('events', values.events, 1),
    rate: number('rate', values.rate, 0.001),
    receivers: receiverMix(values.receivers),
    bodyBytes: bytes('body', values.body),
    concurrency: number('concurrency', values.concurrency, 1),
    minutes: number('minutes', values.minutes, 0.1),
    policy: policyOf(values.policy),
    settings: givenSettings(values.settings),
    seed: number('seed', values.seed),
  };
}
