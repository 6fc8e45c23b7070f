import * as z from 'zod/mini';
import {
  type AttributeKind,
  attributeAnswers,
  attributeKinds,
  attributeMap,
  attributeSchemas,
} from '../../domain/persons/attributes.ts';
import { expression } from '../../domain/persons/expression.ts';
import type { JsonObject } from '../json-schema.ts';
import type { Schema } from '../reply.ts';
import { attributeWords } from './attribute-words.ts';
import './components.ts';
import { words } from './words.ts';

/** A description in the making: what it describes by name, and what the deployment adds. */
export interface Drawing {
  /** Schemas by their names, of those that were used so far. */
  readonly schemas: JsonObject;
  /** Text attributes beyond OSIA's eleven. */
  readonly extraAttributes: readonly string[];
}

/** Every attribute by its name, with its kind. */
export const attributesOf = ({ extraAttributes }: Pick<Drawing, 'extraAttributes'>): [string, AttributeKind][] => [
  ...Object.entries(attributeKinds),
  ...extraAttributes.map((name): [string, AttributeKind] => [name, 'text']),
];

const ofKind: Readonly<Record<AttributeKind, JsonObject>> = {
  text: { type: 'string', minLength: 1, maxLength: 256 },
  date: { type: 'string', format: 'date' },
  gender: { type: 'integer', enum: attributeSchemas.gender.def.values },
};

/** An attribute's value. */
export const attributeSchema = (kind: AttributeKind): JsonObject => ofKind[kind];

// In a body a blank text and null mean that the attribute is not given.
const orNothing: Readonly<Record<AttributeKind, JsonObject>> = {
  text: { type: ['string', 'null'], maxLength: 256 },
  date: { ...ofKind.date, type: ['string', 'null'] },
  gender: { ...ofKind.gender, type: ['integer', 'null'], enum: [...attributeSchemas.gender.def.values, null] },
};

const said = (name: string, schema: JsonObject): JsonObject => {
  const { description, example } = attributeWords(name);
  return { ...schema, description, examples: [example] };
};

const given = (drawing: Drawing): JsonObject => ({
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: Object.fromEntries(
    attributesOf(drawing)
      .filter(([name]) => name !== 'uin')
      .map(([name, kind]) => [name, said(name, orNothing[kind])]),
  ),
});

const answered = (drawing: Drawing): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    attributesOf(drawing).map(([name, kind]) => [
      name,
      said(name, { anyOf: [ofKind[kind], { $ref: '#/components/schemas/Error' }] }),
    ]),
  ),
  additionalProperties: { $ref: '#/components/schemas/Error' },
});

const isBound = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

const override =
  (drawing: Drawing) =>
  ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonObject }): void => {
    const is = (schema: Schema): boolean => (zodSchema as unknown) === schema;
    Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
    // It means that our own code does not change it.
    delete jsonSchema.readOnly;
    // Names and values are checked where the deployment's are known.
    if (is(attributeMap)) Object.assign(jsonSchema, given(drawing));
    if (is(attributeAnswers)) Object.assign(jsonSchema, answered(drawing));
    if (is(expression.shape.attributeName)) jsonSchema.enum = attributesOf(drawing).map(([name]) => name);
    // A format says what its pattern does, and the bounds of numbers say nothing.
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    if (isBound(jsonSchema.minimum)) delete jsonSchema.minimum;
    if (isBound(jsonSchema.maximum)) delete jsonSchema.maximum;
  };

/** A schema in a description: schemas with names are put into the drawing, and referred to. */
export function schemaOf(schema: Schema, drawing: Drawing): JsonObject {
  // Only what is inside another becomes a reference.
  const made = z.toJSONSchema(z.array(schema), {
    io: 'input',
    unrepresentable: 'any',
    metadata: words,
    override: override(drawing),
  });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { items, $defs = {} } = JSON.parse(text) as { items: JsonObject; $defs?: Record<string, JsonObject> };
  for (const [name, { id: _, ...component }] of Object.entries($defs)) drawing.schemas[name] = component;
  return items;
}
