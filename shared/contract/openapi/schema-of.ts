import * as z from 'zod/mini';
import {
  type AttributeDefinition,
  type AttributeKind,
  attributeMap,
  attributeResults,
  attributeSchemas,
  standardAttributes,
} from '../../domain/persons/attributes.ts';
import { expression } from '../../domain/persons/expression.ts';
import { lineLength } from '../../domain/text.ts';
import type { JsonObject, Schema } from '../schemas.ts';
import { annotations, extendedSchemas } from './components.ts';
import type { Components } from './openapi-file.ts';

/** The data that is collected while an OpenAPI file is generated. */
export interface OpenApiContext {
  /** The named schemas that the generated file refers to. */
  readonly schemas: Record<string, Components['schemas'][string]>;
  /** The response headers that the generated file refers to. */
  readonly headers: JsonObject;
  /** The additional text attributes that the deployment defines. */
  readonly extraAttributes: readonly string[];
}

/** Returns all person attributes of the deployment, by name. */
export const attributesOf = ({ extraAttributes }: OpenApiContext): [string, AttributeDefinition][] => [
  ...Object.entries(standardAttributes),
  ...extraAttributes.map((name): [string, AttributeDefinition] => [
    name,
    {
      kind: 'text',
      description: `${name}: an attribute that this deployment adds to those of OSIA.`,
      example: 'AB-123456',
    },
  ]),
];

/** The schema of an attribute value, by kind. */
export const schemaOfKind: Readonly<Record<AttributeKind, JsonObject>> = {
  text: { type: 'string', minLength: 1, maxLength: lineLength },
  date: { type: 'string', format: 'date' },
  gender: { type: 'integer', enum: attributeSchemas.gender.def.values },
};

// In a body, a blank string or null means that the attribute is absent.
const orAbsent: Readonly<Record<AttributeKind, JsonObject>> = {
  text: { type: ['string', 'null'], maxLength: lineLength },
  date: { ...schemaOfKind.date, type: ['string', 'null'] },
  gender: { ...schemaOfKind.gender, type: ['integer', 'null'], enum: [...attributeSchemas.gender.def.values, null] },
};

const requestAttributes = (context: OpenApiContext): JsonObject => ({
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: Object.fromEntries(
    attributesOf(context)
      .filter(([name]) => name !== 'uin')
      .map(([name, { kind, description, example }]) => [name, { ...orAbsent[kind], description, examples: [example] }]),
  ),
});

/** Describes an attribute value in a response. The value is an Error object if the person lacks the attribute. */
function describedAnswer({ kind, description, example }: AttributeDefinition, { schemas }: OpenApiContext): JsonObject {
  const name = `${kind[0]?.toUpperCase()}${kind.slice(1)}OrError`;
  schemas[name] = {
    description: `A ${kind}, or an Error object if the person lacks the attribute.`,
    anyOf: [schemaOfKind[kind], { $ref: '#/components/schemas/Error' }],
  };
  return { description, examples: [example], allOf: [{ $ref: `#/components/schemas/${name}` }] };
}

const responseAttributes = (context: OpenApiContext): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    attributesOf(context).map(([name, attribute]) => [name, describedAnswer(attribute, context)]),
  ),
  additionalProperties: { $ref: '#/components/schemas/Error' },
});

/** Returns an object schema that refers to `extended` instead of repeating its fields. */
function ownFields({ properties, required }: JsonObject, extended: z.ZodMiniObject): JsonObject {
  const isOwn = (name: string): boolean => !(name in extended.shape);
  return {
    allOf: [{ $ref: `#/components/schemas/${annotations.get(extended)?.id}` }],
    properties: Object.fromEntries(Object.entries(properties as JsonObject).filter(([name]) => isOwn(name))),
    required: (required as string[]).filter(isOwn),
  };
}

const isBound = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

const override =
  (context: OpenApiContext) =>
  ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonObject }): void => {
    const is = (schema: Schema): boolean => (zodSchema as unknown) === schema;
    Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
    // Remove `readOnly`, which only means that our own code does not change the value.
    delete jsonSchema.readOnly;
    // Objects may have additional properties by default, so an empty schema for these properties is redundant.
    if (JSON.stringify(jsonSchema.additionalProperties) === '{}') delete jsonSchema.additionalProperties;
    // The schemas accept any attribute name, but the OpenAPI file lists the deployment's attributes.
    if (is(attributeMap)) Object.assign(jsonSchema, requestAttributes(context));
    if (is(attributeResults)) Object.assign(jsonSchema, responseAttributes(context));
    if (is(expression.shape.attributeName)) jsonSchema.enum = attributesOf(context).map(([name]) => name);
    const extended = extendedSchemas.get(zodSchema);
    if (extended !== undefined) Object.assign(jsonSchema, ownFields(jsonSchema, extended));
    // In nullable schemas, replace `anyOf` with a list of types, because code generators support such lists better.
    const { anyOf: [only, nothing, ...others] = [] } = jsonSchema as { anyOf?: readonly JsonObject[] };
    if (only?.type !== undefined && nothing?.type === 'null' && others.length === 0) {
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, only, { type: [only.type, 'null'] });
    }
    // A pattern is redundant if the schema has a format. The default bounds of numbers do not help readers.
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    if (isBound(jsonSchema.minimum)) delete jsonSchema.minimum;
    if (isBound(jsonSchema.maximum)) delete jsonSchema.maximum;
  };

/** Generates a schema for the OpenAPI file. Replaces nested named schemas with references to `context.schemas`. */
export function schemaOf(schema: Schema, context: OpenApiContext): JsonObject {
  // Wrap the schema in an array, because zod creates references only for schemas inside another schema.
  const generated = z.toJSONSchema(z.array(schema), {
    io: 'input',
    unrepresentable: 'any',
    metadata: annotations,
    override: override(context),
  });
  const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { items, $defs = {} } = JSON.parse(text) as { items: JsonObject; $defs?: Record<string, JsonObject> };
  for (const [name, { id: _, ...component }] of Object.entries($defs)) context.schemas[name] = component;
  return items;
}
