import { attributes } from './requirements/attributes.ts';
import { documents } from './requirements/documents.ts';
import { events } from './requirements/events.ts';
import { messages } from './requirements/messages.ts';
import { resources } from './requirements/resources.ts';
import { signatures } from './requirements/signatures.ts';
import type { Sentence } from './sentence.ts';
import { access } from './sentences/access.ts';
import { deliveries } from './sentences/deliveries.ts';
import { errors } from './sentences/errors.ts';
import { identity } from './sentences/identity.ts';
import { journey } from './sentences/journey.ts';
import { mail } from './sentences/mail.ts';
import { registry } from './sentences/registry.ts';
import { states } from './sentences/states.ts';
import { subscriber } from './sentences/subscriber.ts';
import { subscriptions } from './sentences/subscriptions.ts';
import { topics } from './sentences/topics.ts';

/** Every sentence of the interface, by its sections, and then what our own page for callers promises. */
export const sentences: readonly Sentence[] = [
  ...[
    attributes,
    resources,
    messages,
    states,
    identity,
    documents,
    subscriptions,
    topics,
    access,
    events,
    errors,
    deliveries,
  ].flat(),
  ...[journey, registry, subscriber, signatures, mail].flat(),
].toSorted((one, other) => one.section.localeCompare(other.section, 'en'));
