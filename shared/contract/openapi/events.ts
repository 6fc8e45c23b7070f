import { type EventType, eventSchema, eventTypes } from '../../domain/topics/event.ts';
import type { JsonObject } from '../json-schema.ts';
import { type Drawing, schemaOf } from './schema-of.ts';

const child = { uin: 'The child.', uin1: 'The first parent.', uin2: 'The second parent, where there is one.' };
const conjoints = { uin1: 'One of the two conjoints.', uin2: 'The other one.' };
const person = { uin: 'The person.' };

/** Whose UIN each field of an event is. */
const meanings: Readonly<Record<EventType, Readonly<Record<string, string>>>> = {
  liveBirth: {
    uin: 'The new-born.',
    uin1: 'The first parent, where that is known.',
    uin2: 'The second parent, where that is known.',
  },
  death: { uin: 'The dead person.' },
  birthCancellation: { uin: 'The person whose birth declaration is cancelled.' },
  foetalDeath: { uin: 'The new-born.' },
  marriage: conjoints,
  divorce: conjoints,
  annulment: conjoints,
  separation: conjoints,
  adoption: child,
  legitimation: child,
  recognition: child,
  changeOfName: person,
  changeOfGender: person,
  updatePerson: person,
  newPerson: person,
  duplicatePerson: { uin: 'The person to keep.', duplicates: 'The records that are duplicates of it.' },
};

function describedEvent(type: EventType, drawing: Drawing): JsonObject {
  const { properties, ...schema } = schemaOf(eventSchema(type), drawing) as { properties: Record<string, JsonObject> };
  const words: Readonly<Record<string, string>> = { ...meanings[type], source: 'The system that emits it.' };
  const described = Object.entries(properties).map(([name, field]) => [name, { ...field, description: words[name] }]);
  return { ...schema, description: `An event of the type ${type}.`, properties: Object.fromEntries(described) };
}

/** Puts OSIA's 16 events into the drawing, and answers what refers to them. */
export function eventsOf(drawing: Drawing): JsonObject[] {
  for (const type of eventTypes) drawing.schemas[type] = describedEvent(type, drawing);
  return eventTypes.map((type) => ({ $ref: `#/components/schemas/${type}` }));
}
