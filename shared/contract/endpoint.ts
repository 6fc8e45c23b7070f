import type * as z from 'zod/mini';
import type { CapabilityName } from './capabilities.ts';
import type { Scope } from './scopes.ts';
import type { SettingName } from './settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: any schema may stand here
type Schema = z.ZodMiniType<any, any>;

/** Parameters of one place (path, query or header), by name. An optional schema makes an optional parameter. */
export type Parameters = Readonly<Record<string, Schema>>;

export interface Endpoint {
  /** One name in four cases: `createTopic`, `create-topic.ts`, construct id, operationId. */
  readonly operation: string;
  readonly area: 'persons' | 'documents' | 'topics' | 'subscriptions' | 'access' | 'pages';
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/${string}`;
  readonly summary: string;
  /** Any one of these suffices; none makes the operation public. */
  readonly scopes: readonly Scope[];
  readonly request: {
    readonly path?: Parameters;
    readonly query?: Parameters;
    readonly headers?: Parameters;
    /** Query parameters that may be given several times: their schema reads an array of text. */
    readonly repeatable?: readonly string[];
    /** Any other query parameter is an attribute to search by: the handler gets them, unread, as `attributes`. */
    readonly hasAttributes?: true;
    /** `json` with a schema, or `text`: the body as it came. */
    readonly body?: { readonly json: Schema } | { readonly text: { readonly maxBytes: number } };
  };
  /** A schema answers JSON of that shape (other fields do not leave); null answers nothing. */
  readonly replies: Readonly<Record<number, Schema | null>>;
  /** A page for people: the body of a reply is a text, sent as HTML. Missing: JSON. */
  readonly isPage?: true;
  /** Media types of a 200 that is bytes, not JSON, and is sent as a stream; its schema in `replies` is null. */
  readonly streams?: readonly string[];
  /** Where the house's usual function is not enough. */
  readonly runsOn?: {
    readonly memoryMegabytes: number;
    readonly timeoutSeconds: number;
    readonly variables: Readonly<Record<string, string>>;
    /** Packages that cannot be bundled, being native or WebAssembly: they are packed as they are. */
    readonly packages: readonly string[];
    /** Files that run in threads of their own and are bundled beside the function. */
    readonly threads: readonly string[];
  };
  /** Statuses of refusals, beside 401, 403 and 500. */
  readonly refuses: readonly number[];
  readonly uses: readonly CapabilityName[];
  readonly reads: readonly SettingName[];
  /** What does not work for whom while this operation fails; alarms quote it. */
  readonly impact: string;
}

export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

type Values<P> = P extends Parameters ? { readonly [K in keyof P]: z.output<P[K]> } : Record<never, never>;

/** What a handler gets: every declared parameter and body, parsed. */
export interface RequestOf<E extends Endpoint> {
  readonly path: Values<E['request']['path']>;
  readonly query: Values<E['request']['query']>;
  readonly headers: Values<E['request']['headers']>;
  readonly body: E['request']['body'] extends { json: infer S extends Schema }
    ? z.output<S>
    : E['request']['body'] extends { text: object }
      ? string
      : undefined;
  readonly attributes: E['request'] extends { hasAttributes: true } ? Readonly<Record<string, string>> : undefined;
  readonly contentType: string | undefined;
  /** The client that the access token was issued to. */
  readonly caller: string;
}

/** What a handler may answer: a declared status with a body of its schema. */
export type ReplyOf<E extends Endpoint> = {
  [Status in keyof E['replies'] & number]: E['replies'][Status] extends infer S extends Schema
    ? { readonly status: Status; readonly body: z.input<S>; readonly headers?: Readonly<Record<string, string>> }
    : { readonly status: Status };
}[keyof E['replies'] & number];
