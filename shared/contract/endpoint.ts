import type * as z from 'zod/mini';
import type { ClientErrorName } from '../domain/client-errors.ts';
import type { apiStage } from './api-stage.ts';
import type { CapabilityName } from './capabilities.ts';
import type { Parameters } from './parameters.ts';
import type { HeaderName, Reply, Schema } from './reply-schemas.ts';
import { adminScope, type Scope } from './scopes.ts';
import type { SettingName } from './settings.ts';

/** Every area with its description in the OpenAPI file. An area is also a folder of `functions/`. */
export const areas = {
  persons: 'UINs and the attributes of persons.',
  documents: 'Certificates.',
  topics: 'Topics and publishing.',
  subscriptions: 'Subscriptions to the events of a topic.',
  deliveries: 'Messages and the results of their deliveries.',
  access: 'Public keys and this API description.',
  pages: 'Pages that people open from our emails.',
} as const;

export type Area = keyof typeof areas;

/** The declaration of an API operation. `Replies` limits it to certain kinds of replies. */
export interface Endpoint<Replies extends Reply = Reply> {
  /** The operationId. The file name (`create-topic.ts` for `createTopic`) and the construct id follow from it. */
  readonly operation: string;
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Whether HEAD is also supported. It returns the response of GET without the body. */
  readonly hasHead?: true;
  /** The public path, which starts with the stage. */
  readonly path: `/${typeof apiStage}/${string}`;
  readonly summary: string;
  /** The description in the OpenAPI file. */
  readonly description: string;
  /** Any one of these scopes is sufficient. An operation without scopes is public. */
  readonly scopes: readonly Scope[];
  readonly request: {
    readonly path?: Parameters;
    readonly query?: Parameters;
    readonly headers?: Parameters;
    /** Query parameters that may be repeated. Their schemas parse an array of strings. */
    readonly repeatable?: readonly string[];
    /** Whether other query parameters are attributes to search by. The handler gets them unparsed as `attributes`. */
    readonly hasAttributes?: true;
    /** `json` with a schema, or `text` for a body that is not parsed. */
    readonly body?: ({ readonly json: Schema } | { readonly text: { readonly maxBytes: number } }) & {
      readonly example: unknown;
    };
  };
  /** The replies by status: `json(…)`, `empty(…)`, `page(…)` or `bytes(…)`. */
  readonly replies: Readonly<Record<number, Replies>>;
  /** Overrides of the usual function configuration. */
  readonly runsOn?: {
    readonly memoryMegabytes: number;
    readonly timeoutSeconds: number;
    readonly variables: Readonly<Record<string, string>>;
    /** Native or WebAssembly packages, which cannot be bundled. They are packed unchanged. */
    readonly packages: readonly string[];
    /** Files that run in separate threads or processes. They are bundled as separate files. */
    readonly threads: readonly string[];
  };
  /** Whether the operation returns personal data. The access journal records each request before the response. */
  readonly isJournaled?: true;
  /** Whether a request reads or sends so much data that the operation has a lower rate limit. */
  readonly isCostly?: true;
  /** Whether a share of the concurrency is reserved, which is also the maximum of the operation. */
  readonly hasReserve?: true;
  /** Client errors specific to the operation. `clientErrorsOf` adds errors that follow from its request and scopes. */
  readonly errors: readonly ClientErrorName[];
  readonly uses: readonly CapabilityName[];
  readonly reads: readonly SettingName[];
  /** Describes who is affected while this operation fails, and how. Alarms quote this text. */
  readonly impact: string;
}

/** Defines an endpoint and keeps the exact types of its request, replies, capabilities and settings. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

/** Returns the HTTP methods of an operation. */
export const methodsOf = ({ method, hasHead }: Endpoint): readonly (Endpoint['method'] | 'HEAD')[] =>
  hasHead ? [method, 'HEAD'] : [method];

/** Returns the scopes that affect an operation: its own and, if it checks ownership, the admin scope. */
export const relevantScopes = ({ scopes, reads }: Endpoint): readonly Scope[] =>
  reads.includes('subscriptionOwnership') ? [...scopes, adminScope] : scopes;

/** Returns whether the operation has a reply of this kind. */
export const hasReplyOf = ({ replies }: Endpoint, kind: Reply['kind']): boolean =>
  Object.values(replies).some((reply) => reply.kind === kind);

/** The parsed values of parameters: `{ limit: number | undefined }` for an optional `limit` that is read as a number. */
type Values<P> = P extends Parameters ? { readonly [K in keyof P]: z.output<P[K]['schema']> } : Record<never, never>;

/**
 * The request that a handler gets, with every declared parameter and body parsed. For example, `request: { path: { uuid
 * }, body: { json: z.array(expression), … } }` gives it the string `path.uuid` and the array of expressions `body`.
 * `query.limit` does not compile.
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
  /** The request id of API Gateway, which log lines contain. */
  readonly requestId: string;
  /** A key that identifies the caller, not a name to display. Empty if the access token lacks the claim. */
  readonly caller: string;
  /** The owner of subscriptions and rate limits: the caller, or else the subject of the token. */
  readonly client: string;
  /** Whether the access token has the scope to see and change the subscriptions of other clients. */
  readonly isAdmin: boolean;
}

type BodyOf<R extends Reply> = R extends { kind: 'json' | 'page'; schema: infer S extends Schema }
  ? { readonly body: z.input<S> }
  : R extends { kind: 'bytes' }
    ? { readonly body: NodeJS.ReadableStream }
    : { readonly body?: never };

// Other headers are `never`, because TypeScript accepts excess properties of values that are not object literals.
type HeadersOf<R extends Reply> = z.input<R['headers']> & {
  readonly [Other in Exclude<HeaderName, keyof R['headers']['shape']>]?: never;
};

/** `headers` may be omitted if every header is optional. */
type HasHeaders<H> = Record<never, never> extends H ? { readonly headers?: H } : { readonly headers: H };

/**
 * The reply that a handler may return: a declared status with its body and headers. For example `{ status: 200; body:
 * Topic[]; headers?: { link?: string } } | { status: 204 }`.
 */
export type ReplyOf<E extends Endpoint> = {
  [Status in keyof E['replies'] & number]: { readonly status: Status } & BodyOf<E['replies'][Status]> &
    HasHeaders<HeadersOf<E['replies'][Status]>>;
}[keyof E['replies'] & number];
