import type { CapabilityName } from '../contract/capabilities.ts';
import type { Granted } from '../contract/define-store.ts';
import type { SettingName, SettingValues } from '../contract/settings.ts';
import type { Lane, LaneQueue } from '../domain/deliveries/channels.ts';
import type { Protocol } from '../domain/subscriptions/subscription.ts';
import type { deliveries } from '../storage/deliveries/store.ts';
import type { documentLinks } from '../storage/documents/document-links.ts';
import type { renditions } from '../storage/documents/renditions.ts';
import type { documents } from '../storage/documents/store.ts';
import type { importFiles } from '../storage/imports/import-files.ts';
import type { imports } from '../storage/imports/store.ts';
import type { journal } from '../storage/journal/store.ts';
import type { limits } from '../storage/limits/store.ts';
import type { mail } from '../storage/mail/store.ts';
import type { messages } from '../storage/messages/store.ts';
import type { indexing } from '../storage/persons/indexing.ts';
import type { personChanges } from '../storage/persons/person-changes.ts';
import type { backlog } from '../storage/queues/backlog.ts';
import type { queues } from '../storage/queues/store.ts';
import type { signingSecret } from '../storage/secrets/store.ts';
import type { subscriptions } from '../storage/subscriptions/store.ts';
import type { topics } from '../storage/topics/store.ts';

type Stores = readonly [
  typeof backlog,
  typeof deliveries,
  typeof documentLinks,
  typeof documents,
  typeof importFiles,
  typeof imports,
  typeof indexing,
  typeof journal,
  typeof limits,
  typeof mail,
  typeof messages,
  typeof personChanges,
  typeof queues,
  typeof renditions,
  typeof signingSecret,
  typeof subscriptions,
  typeof topics,
];

type StoreOf<Uses extends string> = Uses extends `${infer Store}:${string}` ? Store : never;

/** The capability to send messages to a lane of one channel or, if no protocol is given, of every channel. */
export type SendsTo<L extends Lane, P extends Protocol = Protocol> = `queues:${LaneQueue<L, P>}`;

/**
 * What a step needs from its function: the store methods that the capabilities `Uses` grant, the settings
 * `Reads`, the clock and new ids.
 */
export type Tools<Uses extends CapabilityName, Reads extends SettingName = never> = Pick<
  Granted<Stores, Uses>,
  StoreOf<Uses> & Stores[number]['name']
> & {
  readonly settings: SettingValues<Reads>;
  readonly now: () => number;
  readonly newId: () => string;
};
