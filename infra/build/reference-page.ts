import {
  type Content,
  nameIn,
  type OpenApiFile,
  operationsByTag,
  type PlacedOperation,
  type Response,
  type Schema,
} from '../../shared/contract/openapi/openapi-file.ts';
import { type Html, html } from '../../shared/presentation/pages/html.ts';
import { referenceStyle } from '../../shared/presentation/pages/reference-style.ts';

/** Renders text as HTML. Parts in backticks become code elements. */
const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

/** Renders a description as HTML paragraphs. */
const paragraphs = (text: string): readonly Html[] =>
  text.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`);

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function typeOf(schema: Schema): Html {
  const { $ref, type, format, items, enum: values, anyOf, allOf } = schema;
  if ($ref !== undefined) return html`<a href="#schema-${nameIn($ref)}">${nameIn($ref)}</a>`;
  const [first, ...others] = anyOf ?? allOf ?? [];
  if (first !== undefined) return html`${typeOf(first)}${others.map((other) => html` or ${typeOf(other)}`)}`;
  if (items !== undefined) return html`list of ${typeOf(items)}`;
  if (values !== undefined) return html`${values.map((value) => JSON.stringify(value)).join(', ')}`;
  const name = [type ?? 'any'].flat().join(' or ');
  return html`${format === undefined ? name : `${name} (${format})`}`;
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

const code = (text: string): Html => html`<code>${text}</code>`;

function parametersOf({ summary, parameters }: PlacedOperation): Html {
  const rows = parameters.map(({ name, in: place, required = false, schema, description, example }) => [
    html`<code>${name}</code> <small>${place}${required ? ', required' : ''}</small>`,
    typeOf(schema),
    prose(description),
    example === undefined ? html`` : code(shown(example)),
  ]);
  return table(`Parameters: ${summary}`, ['name', 'type', 'meaning', 'example'], rows);
}

const examplesOf = (content: Content = {}): readonly Html[] =>
  Object.entries(content).flatMap(([type, { schema, example, examples = {} }]) =>
    [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].slice(0, 1).map(
      (value) => html`<p><code>${type}</code>${schema?.$ref === undefined ? [] : html` ${typeOf(schema)}`}</p>
<pre tabindex="0"><code>${shown(value)}</code></pre>`,
    ),
  );

function responsesOf({ responses }: PlacedOperation): readonly Html[] {
  const own = Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response
      ? []
      : [html`<h4>Response ${status}</h4>${paragraphs(response.description)}${examplesOf(response.content)}`],
  );
  const errors = Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response ? [html` <a href="#response-${nameIn(response.$ref)}">${status}</a>`] : [],
  );
  return [...own, html`<p>Errors:${errors}</p>`];
}

const scopesOf = ({ security }: PlacedOperation): readonly Html[] => {
  const scopes = security.flatMap(({ oauth2 = [] }) => oauth2);
  if (scopes.length === 0) return [html`<p>Needs no token.</p>`];
  return [html`<p>Needs one of the scopes ${scopes.map((scope) => html`<code>${scope}</code> `)}</p>`];
};

const operationSection = (operation: PlacedOperation): Html =>
  html`<section aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}">${operation.summary}</h3>
<p class="route"><code>${operation.method} ${operation.path}</code></p>
${paragraphs(operation.description)}${scopesOf(operation)}
${parametersOf(operation)}
${operation.requestBody === undefined ? [] : [html`<h4>Request body</h4>`, ...examplesOf(operation.requestBody.content)]}
${responsesOf(operation)}
</section>
`;

function schemaSection(name: string, schema: Schema): Html {
  const { description = '', properties = {}, required = [], allOf = [] } = schema;
  const rows = Object.entries(properties).map(([field, { description: meaning = '', ...type }]) => [
    html`<code>${field}</code>${required.includes(field) ? html` <small>required</small>` : html``}`,
    typeOf(type),
    prose(meaning),
  ]);
  const alone = rows.length > 0 ? [] : [html`<p>${typeOf(schema)}</p>`];
  const extended = rows.length === 0 ? [] : allOf.map((one) => html`<p>All fields of ${typeOf(one)}, and:</p>`);
  return html`<h3 id="schema-${name}">${name}</h3>${paragraphs(description)}${alone}${extended}
${table(`Fields of ${name}`, ['field', 'type', 'meaning'], rows)}`;
}

const errorSection = (name: string, { description }: Response): Html =>
  html`<h3 id="response-${name}">${name}</h3><ul>${description.split('; ').map((error) => html`<li>${prose(error)}</li>\n`)}</ul>`;

/** Renders an OpenAPI file as one static page that needs no scripts or other files. */
export function referencePage(file: OpenApiFile): string {
  const { info, servers, components } = file;
  const tags = operationsByTag(file);
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
<p>Base address: <code>${servers[0]?.url ?? ''}</code>. As a file: <a href="openapi.json">openapi.json</a></p></header>
<nav aria-label="Operations">${tags.map(
    ({ name, operations }) =>
      html`<h2>${name}</h2><ul>${operations.map(
        ({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>\n`,
      )}</ul>`,
  )}<h2>More</h2><ul><li><a href="#schemas">Schemas</a></li><li><a href="#errors">Errors</a></li></ul></nav>
<main id="main">
${tags.map(
  ({ name, description, operations }) => html`<h2 id="area-${name}">${name}</h2>${paragraphs(description)}
${operations.map(operationSection)}`,
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
