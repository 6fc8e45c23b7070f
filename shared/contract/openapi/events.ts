import { type EventType, eventSchema, eventTypes } from '../../domain/topics/event.ts';
import type { JsonObject } from '../json-schema.ts';
import { type OpenApiContext, schemaOf } from './schema-of.ts';

const child = { uin: 'The child.', uin1: 'The first parent.', uin2: 'The second parent, if there is one.' };
const spouses = { uin1: 'One of the two spouses.', uin2: 'The other spouse.' };
const person = { uin: 'The person.' };

/** The descriptions of the UIN fields of each event type. */
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

/** Adds the schemas of the 16 OSIA events, and returns references to these schemas. */
export function eventsOf(context: OpenApiContext): JsonObject[] {
  for (const type of eventTypes) context.schemas[type] = describedEvent(type, context);
  return eventTypes.map((type) => ({ $ref: `#/components/schemas/${type}` }));
}

/** Any JSON, because a published body need not be an OSIA event. */
export const anyJson: JsonObject = {
  description: 'Any other JSON.',
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  items: {},
};
