import { type Html, html } from '../../shared/presentation/pages/html.ts';
import { referenceStyle } from '../../shared/presentation/pages/reference-style.ts';

/** The parts of an OpenAPI 3.1 file that the reference page shows. */
export interface ReferenceFile {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

type Content = Readonly<
  Record<
    string,
    {
      readonly schema?: Schema;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
    }
  >
>;

interface Response {
  readonly description: string;
  readonly content?: Content;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

const lastPart = (reference: string): string => reference.split('/').at(-1) ?? reference;

/** Renders text in which backticks mark code. */
function prose(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** Renders each paragraph of a description. */
const paragraphs = (text: string): readonly Html[] =>
  text.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`);

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function typeOf(schema: Schema): readonly Html[] {
  const { $ref, type, format, items, enum: values, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return [html`<a href="#schema-${lastPart($ref)}">${lastPart($ref)}</a>`];
  const [first, ...others] = anyOf ?? oneOf ?? allOf ?? [];
  if (first !== undefined) return [...typeOf(first), ...others.flatMap((other) => [html` or `, ...typeOf(other)])];
  if (items !== undefined) return [html`list of `, ...typeOf(items)];
  if (values !== undefined) return [html`${values.map((value) => JSON.stringify(value)).join(', ')}`];
  const name = [type ?? 'any'].flat().join(' or ');
  return [html`${format === undefined ? name : `${name} (${format})`}`];
}

const table = (caption: string, heads: readonly string[], rows: readonly (readonly Html[])[]): Html =>
  rows.length === 0
    ? html``
    : html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
        ([first, ...rest]) =>
          html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
      )}</tbody></table></div>`;

const one = (parts: readonly Html[]): Html => html`${parts}`;
const code = (text: string): Html => html`<code>${text}</code>`;

function parametersOf({ parameters }: Operation, { components }: ReferenceFile): Html {
  const all = parameters.map((given) => ('$ref' in given ? components.parameters[lastPart(given.$ref)] : given));
  const rows = all.flatMap((parameter) => {
    if (parameter === undefined) return [];
    const { name, in: place, required = false, schema, description, example } = parameter;
    const cells = [one(typeOf(schema)), one(prose(description)), example === undefined ? html`` : code(shown(example))];
    return [[html`<code>${name}</code> <small>${place}${required ? ', required' : ''}</small>`, ...cells]];
  });
  return table('Parameters', ['name', 'type', 'meaning', 'example'], rows);
}

const examplesOf = (content: Content = {}): readonly Html[] =>
  Object.entries(content).flatMap(([type, { schema, example, examples = {} }]) =>
    [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].slice(0, 1).map(
      (value) => html`<p><code>${type}</code>${schema?.$ref === undefined ? [] : [html` `, ...typeOf(schema)]}</p>
<pre tabindex="0"><code>${shown(value)}</code></pre>`,
    ),
  );

function responsesOf({ responses }: Operation): readonly Html[] {
  const own = Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response
      ? []
      : [html`<h4>Response ${status}</h4>${paragraphs(response.description)}${examplesOf(response.content)}`],
  );
  const errors = Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response ? [html` <a href="#response-${lastPart(response.$ref)}">${status}</a>`] : [],
  );
  return [...own, html`<p>Errors:${errors}</p>`];
}

const scopesOf = ({ security }: Operation): readonly Html[] => {
  const scopes = security.flatMap(({ oauth2 = [] }) => oauth2);
  if (scopes.length === 0) return [html`<p>Needs no token.</p>`];
  return [html`<p>Needs one of the scopes ${scopes.map((scope) => html`<code>${scope}</code> `)}</p>`];
};

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const operationSection = ({ method, path, operation }: Placed, file: ReferenceFile): Html =>
  html`<section aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}">${operation.summary}</h3>
<p class="route"><code>${method.toUpperCase()} ${path}</code></p>
${paragraphs(operation.description)}${scopesOf(operation)}
${parametersOf(operation, file)}
${operation.requestBody === undefined ? [] : [html`<h4>Request body</h4>`, ...examplesOf(operation.requestBody.content)]}
${responsesOf(operation)}
</section>
`;

function schemaSection(name: string, schema: Schema): Html {
  const { description = '', properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(([field, { description: meaning = '', ...type }]) => [
    html`<code>${field}</code>${required.includes(field) ? html` <small>required</small>` : html``}`,
    one(typeOf(type)),
    one(prose(meaning)),
  ]);
  const alone = rows.length > 0 ? [] : [html`<p>${typeOf(schema)}</p>`];
  return html`<h3 id="schema-${name}">${name}</h3>${paragraphs(description)}${alone}
${table(`Fields of ${name}`, ['field', 'type', 'meaning'], rows)}`;
}

const errorSection = (name: string, { description }: Response): Html =>
  html`<h3 id="response-${name}">${name}</h3><ul>${description.split('; ').map((error) => html`<li>${prose(error)}</li>\n`)}</ul>`;

/** Renders an OpenAPI file as one static page, which needs no scripts and loads nothing. */
export function referencePage(file: ReferenceFile): string {
  const { info, servers, tags, components } = file;
  const operations = Object.entries(file.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ method, path, operation })),
  );
  const shownOperations = operations.filter(({ method }) => method !== 'head');
  const areas = tags.map(({ name, description }) => {
    const placed = shownOperations.filter(({ operation }) => operation.tags.includes(name));
    return { name, description, placed };
  });
  const used = areas.filter(({ placed }) => placed.length > 0);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: reference</title>
${referenceStyle.element}
</head>
<body>
<a class="skip" href="#main">Skip to the operations</a>
<header><h1>${info.title}</h1>${paragraphs(info.description)}
<p>Base address: <code>${servers[0]?.url ?? ''}</code>. The same as a file: <a href="openapi.json">openapi.json</a></p></header>
<nav aria-label="Operations">${used.map(
    ({ name, placed }) =>
      html`<h2>${name}</h2><ul>${placed.map(
        ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>\n`,
      )}</ul>`,
  )}<h2>More</h2><ul><li><a href="#schemas">Schemas</a></li><li><a href="#errors">Errors</a></li></ul></nav>
<main id="main">
${used.map(
  ({ name, description, placed }) => html`<h2 id="area-${name}">${name}</h2>${paragraphs(description)}
${placed.map((operation) => operationSection(operation, file))}`,
)}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}
<h2 id="errors">Errors</h2>
<p>Each error is an <a href="#schema-Error">Error</a> object with one of these codes.</p>
${Object.entries(components.responses).map(([name, response]) => errorSection(name, response))}
</main>
</body>
</html>
`.markup;
}
