/** Replaces all references to headers, parameters and responses in an OpenAPI document with the referenced objects. */
export function dereferenced<Document>(document: Document): Document {
  const { components = {} } = document as { components?: Record<string, Record<string, unknown>> };
  const text = JSON.stringify(document, (_, value) => {
    const [, kind = '', name = ''] =
      /^#\/components\/(headers|parameters|responses)\/(.+)$/.exec(value?.$ref ?? '') ?? [];
    return components[kind]?.[name] ?? value;
  });
  return JSON.parse(text);
}

/** Returns the error codes that the description of an operation lists. */
export const errorCodesIn = ({ description }: { readonly description: string }): number[] =>
  [...(/Error codes: ([\d, ]+)\./.exec(description)?.[1]?.split(', ') ?? [])].map(Number);
