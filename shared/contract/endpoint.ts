import type * as z from 'zod/mini';
import type { RefusalName } from '../model/refusals.ts';
import type { apiStage } from './api-stage.ts';
import type { CapabilityName } from './capabilities.ts';
import type { HeaderName, Reply, Schema } from './reply.ts';
import { adminScope, type Scope } from './scopes.ts';
import type { SettingName } from './settings.ts';

/** Parameters of one place (path, query or header), by name. An optional schema makes an optional parameter. */
export type Parameters = Readonly<Record<string, Schema>>;

/** An operation, as one value; `Replies` narrows it to those that answer nothing but replies of these kinds. */
export interface Endpoint<Replies extends Reply = Reply> {
  /** One name in four cases: `createTopic`, `create-topic.ts`, construct id, operationId. */
  readonly operation: string;
  readonly area: 'persons' | 'documents' | 'topics' | 'subscriptions' | 'deliveries' | 'access' | 'pages';
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** HEAD is served, too: as GET, without the body. */
  readonly hasHead?: true;
  /** Below the base address, with the stage. */
  readonly path: `/${typeof apiStage}/${string}`;
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
  /** What is answered, by status: `json(schema)`, `empty()`, `page()` or `bytes(mediaTypes, …)`. */
  readonly replies: Readonly<Record<number, Replies>>;
  /** Where the house's usual function is not enough. */
  readonly runsOn?: {
    readonly memoryMegabytes: number;
    readonly timeoutSeconds: number;
    readonly variables: Readonly<Record<string, string>>;
    /** Packages that cannot be bundled, being native or WebAssembly: they are packed as they are. */
    readonly packages: readonly string[];
    /** Files that run in threads or processes of their own and are bundled beside the function. */
    readonly threads: readonly string[];
  };
  /** It tells of persons: who asks is journaled before anything is answered, with the purpose. */
  readonly isJournaled?: true;
  /** It reads or sends much for one request: the stage lets fewer through. */
  readonly isCostly?: true;
  /** It goes on when all else is at its limit: a part of what the account may run at once is kept for it, and it has no more. */
  readonly hasReserve?: true;
  /** Its own refusals; those that follow from what it reads and needs, `refusalsOf` adds. */
  readonly refuses: readonly RefusalName[];
  readonly uses: readonly CapabilityName[];
  readonly reads: readonly SettingName[];
  /** What does not work for whom while this operation fails; alarms quote it. */
  readonly impact: string;
}

/** Keeps in the type what an endpoint declares: its request, replies, capabilities and settings. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

/** The methods by which an operation is asked for. */
export const methodsOf = ({ method, hasHead }: Endpoint): readonly (Endpoint['method'] | 'HEAD')[] =>
  hasHead ? [method, 'HEAD'] : [method];

/** Every scope that makes a difference to an operation: those that allow it and, where it asks whose things are, the admin's. */
export const countingScopes = ({ scopes, reads }: Endpoint): readonly Scope[] =>
  reads.includes('subscriptionOwnership') ? [...scopes, adminScope] : scopes;

/** True where one of its replies is of this kind. */
export const answers = ({ replies }: Endpoint, kind: Reply['kind']): boolean =>
  Object.values(replies).some((reply) => reply.kind === kind);

/** What comes of parameters: of `{ limit: z.optional(z.pipe(text, number)) }`, `{ limit: number | undefined }`. */
type Values<P> = P extends Parameters ? { readonly [K in keyof P]: z.output<P[K]> } : Record<never, never>;

/**
 * What a handler gets: every declared parameter and body, parsed. For instance, of
 * `request: { path: { uuid }, body: { json: z.array(expression) } }` it gets `path.uuid`, a string, and `body`, an array
 * of expressions; `query.limit` is not there and does not compile.
 */
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
  readonly operation: string;
  /** The gateway's, which logs quote. */
  readonly requestId: string;
  /** What tells the caller from all others: a key, not a name to show. Empty where the access token does not say. */
  readonly caller: string;
  /** Whose limits a request counts against and whose a subscription is: the caller, or else the subject of the token. */
  readonly client: string;
  /** True where the access token has the scope of those who see and change what is of others. */
  readonly isAdmin: boolean;
}

type BodyOf<R extends Reply> = R extends { kind: 'json' | 'page'; schema: infer S extends Schema }
  ? { readonly body: z.input<S> }
  : R extends { kind: 'bytes' }
    ? { readonly body: NodeJS.ReadableStream }
    : { readonly body?: never };

// `never` by name: of a value that is not written in place TypeScript lets other fields pass.
type HeadersOf<R extends Reply> = z.input<R['headers']> & {
  readonly [Other in Exclude<HeaderName, keyof R['headers']['shape']>]?: never;
};

/** Headers that are all optional may be left out together. */
type HasHeaders<H> = Record<never, never> extends H ? { readonly headers?: H } : { readonly headers: H };

/**
 * What a handler may answer: a declared status with the body and the headers of its reply. For instance, of
 * `replies: { 200: json(z.array(topic), { headers: { link: z.exactOptional(z.string()) } }), 204: empty() }` it is
 * `{ status: 200; body: Topic[]; headers?: { link?: string } } | { status: 204 }`.
 */
export type ReplyOf<E extends Endpoint> = {
  [Status in keyof E['replies'] & number]: { readonly status: Status } & BodyOf<E['replies'][Status]> &
    HasHeaders<HeadersOf<E['replies'][Status]>>;
}[keyof E['replies'] & number];
