import { neverAskToken } from '../../shared/domain/subscriptions/never-ask.ts';
import { composeUnsubscribeToken, unsubscribeKey } from '../../shared/domain/subscriptions/unsubscribe-token.ts';
import { tokenOf } from '../harness/builders.ts';
import { simulatedSecret } from '../simulation/scale/aws-in-memory.ts';
import { mailboxOf } from '../simulation/scale/receivers.ts';
import type { Given } from './cost-asking.ts';
import type { Scenes, Stage } from './cost-stage.ts';

const many = 201;
const byToken = (method: string, token: string): Given => ({ method, query: `token=${encodeURIComponent(token)}` });

/** Subscribers by e-mail, by number: how each is asked to confirm. */
const confirming = ({ topics, subscribers }: Stage, method: string) => {
  const all = subscribers(topics(1)[0], many, { protocol: 'email', isPending: true });
  return [{ given: (number: number) => byToken(method, tokenOf(String(all[number]?.uuid))) }];
};

/** Subscribers by e-mail, by number: how each leaves. */
const leaving = ({ topics, subscribers }: Stage, method: string) => {
  const all = subscribers(topics(1)[0], many, { protocol: 'email' });
  const key = unsubscribeKey(simulatedSecret);
  const tokens = all.map((one) => composeUnsubscribeToken(one, key));
  return [{ given: (number: number) => byToken(method, String(tokens[number])) }];
};

const declining = (method: string) => [
  { given: (number: number) => byToken(method, neverAskToken(simulatedSecret, mailboxOf(number))) },
];

export const pageScenes = {
  showConfirmation: async (stage) => confirming(stage, 'GET'),
  confirmByPage: async (stage) => confirming(stage, 'POST'),
  showUnsubscribe: async (stage) => leaving(stage, 'GET'),
  // A mail program asks in the same way (RFC 8058).
  unsubscribeByPage: async (stage) => leaving(stage, 'POST').map((one) => ({ of: 'also by one click', ...one })),
  showNeverAsk: async () => declining('GET'),
  neverAskByPage: async () => declining('POST'),
} as const satisfies Scenes;
