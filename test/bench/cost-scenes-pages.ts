import {
  composeUnsubscribeToken,
  stopRequestsToken,
  unsubscribeKey,
} from '../../shared/domain/subscriptions/link-tokens.ts';
import { tokenOf } from '../harness/builders.ts';
import { simulatedSecret } from '../simulation/scale/aws-in-memory.ts';
import { mailboxOf } from '../simulation/scale/receivers.ts';
import type { Given } from './cost-asking.ts';
import type { Scenes, Stage } from './cost-stage.ts';

const many = 201;
const byToken = (method: string, token: string): Given => ({ method, query: `token=${encodeURIComponent(token)}` });

/** Returns a scene that sends the confirmation tokens of pending email subscribers. */
const confirming = ({ topics, subscribers }: Stage, method: string) => {
  const all = subscribers(topics(1)[0], many, { protocol: 'email', isPending: true });
  return [{ given: (number: number) => byToken(method, tokenOf(String(all[number]?.uuid))) }];
};

/** Returns a scene that sends the unsubscribe tokens of email subscribers. */
const leaving = ({ topics, subscribers }: Stage, method: string) => {
  const all = subscribers(topics(1)[0], many, { protocol: 'email' });
  const key = unsubscribeKey(simulatedSecret);
  const tokens = all.map((one) => composeUnsubscribeToken(one, key));
  return [{ given: (number: number) => byToken(method, String(tokens[number])) }];
};

const declining = (method: string) => [
  { given: (number: number) => byToken(method, stopRequestsToken(simulatedSecret, mailboxOf(number))) },
];

export const pageScenes = {
  showConfirmation: async (stage) => confirming(stage, 'GET'),
  confirmByPage: async (stage) => confirming(stage, 'POST'),
  showUnsubscribe: async (stage) => leaving(stage, 'GET'),
  // For one-click unsubscribing (RFC 8058), mail programs send the same request.
  unsubscribeByPage: async (stage) =>
    leaving(stage, 'POST').map((one) => ({ of: 'on the page or by one click in a mail program', ...one })),
  showStopRequests: async () => declining('GET'),
  stopRequestsByPage: async () => declining('POST'),
} as const satisfies Scenes;
