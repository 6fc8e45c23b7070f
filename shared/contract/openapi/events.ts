import { type EventType, eventSchema, eventTypes } from '../../domain/topics/event.ts';
import type { JsonObject } from '../schemas.ts';
import { type OpenApiContext, schemaOf } from './schema-of.ts';

const child = { uin: 'The child.', uin1: 'The first parent.', uin2: 'The second parent, if there is one.' };
const spouses = { uin1: 'One of the two spouses.', uin2: 'The other spouse.' };
const person = { uin: 'The person.' };

/** The descriptions of each event type's UIN fields. */
const meanings: Readonly<Record<EventType, Readonly<Record<string, string>>>> = {
  liveBirth: {
    uin: 'The newborn.',
    uin1: 'The first parent, if known.',
    uin2: 'The second parent, if known.',
  },
  death: { uin: 'The deceased person.' },
  birthCancellation: { uin: 'The person whose birth declaration is cancelled.' },
  foetalDeath: { uin: 'The newborn.' },
  marriage: spouses,
  divorce: spouses,
  annulment: spouses,
  separation: spouses,
  adoption: child,
  legitimation: child,
  recognition: child,
  changeOfName: person,
  changeOfGender: person,
  updatePerson: person,
  newPerson: person,
  duplicatePerson: { uin: 'The person to keep.', duplicates: "The UINs of the person's duplicate records." },
};

function describedEvent(type: EventType, context: OpenApiContext): JsonObject {
  const { properties, ...schema } = schemaOf(eventSchema(type), context) as { properties: Record<string, JsonObject> };
  const fields: Readonly<Record<string, string>> = { ...meanings[type], source: 'The system that emits the event.' };
  const described = Object.entries(properties).map(([name, field]) => [name, { ...field, description: fields[name] }]);
  return { ...schema, description: `An event of the type ${type}.`, properties: Object.fromEntries(described) };
}

// A published body may contain any JSON, because events need not be OSIA events.
const anyJson: JsonObject = {
  description: 'Any other JSON.',
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  items: {},
};

/**
 * Adds the schemas of the 16 OSIA events and of published bodies. Returns a reference to the schema of published
 * bodies.
 */
export function eventBody({ schemas, ...context }: OpenApiContext): JsonObject {
  for (const type of eventTypes) schemas[type] = describedEvent(type, { schemas, ...context });
  schemas.EventBody = {
    description: 'A published event: one of the 16 OSIA events or any other JSON.',
    anyOf: [...eventTypes.map((type) => ({ $ref: `#/components/schemas/${type}` })), anyJson],
  };
  return { $ref: '#/components/schemas/EventBody' };
}
