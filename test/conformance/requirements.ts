import type { Requirement } from './requirement.ts';
import { access } from './requirements/access.ts';
import { attributes } from './requirements/attributes.ts';
import { deliveries } from './requirements/deliveries.ts';
import { documents } from './requirements/documents.ts';
import { errors } from './requirements/errors.ts';
import { events } from './requirements/events.ts';
import { identity } from './requirements/identity.ts';
import { journey } from './requirements/journey.ts';
import { mail } from './requirements/mail.ts';
import { messages } from './requirements/messages.ts';
import { registry } from './requirements/registry.ts';
import { resources } from './requirements/resources.ts';
import { signatures } from './requirements/signatures.ts';
import { states } from './requirements/states.ts';
import { subscriber } from './requirements/subscriber.ts';
import { subscriptions } from './requirements/subscriptions.ts';
import { topics } from './requirements/topics.ts';

/** All requirements of the interface and of the client guide, sorted by section. */
export const requirements: readonly Requirement[] = [
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
