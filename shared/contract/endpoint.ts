import type * as z from 'zod/mini';
import type { ClientErrorName } from '../domain/client-errors.ts';
import type { apiStage } from './api-stage.ts';
import type { Declared } from './capabilities.ts';
import type { Parameters } from './parameters.ts';
import type { HeaderName, Reply, Schema } from './schemas.ts';
import { adminScope, type Scope } from './scopes.ts';

/** The declaration of an API operation. The type parameter `Replies` restricts the kinds of replies. */
export interface Endpoint<Replies extends Reply = Reply> extends Declared {
  /**
   * The name of the operation. It determines the file name (`create-topic.ts` for `createTopic`) and the construct id.
   */
  readonly operation: string;
  /** The operationId in OSIA's own OpenAPI files, if it differs from `operation`. */
  readonly osiaId?: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Whether HEAD is also supported. HEAD returns the same response as GET, but without a body. */
  readonly hasHead?: true;
  /** The public path, which starts with the name of the API Gateway stage. */
  readonly path: `/${typeof apiStage}/${string}`;
  readonly summary: string;
  /** The operation's description in the OpenAPI file. */
  readonly description: string;
  /** The scopes that permit the operation; a token needs only one of them. An operation without scopes is public. */
  readonly scopes: readonly Scope[];
  readonly request: {
    readonly path?: Parameters;
    readonly query?: Parameters;
    readonly headers?: Parameters;
    /** Query parameters that may be repeated. The schema of a repeatable parameter parses an array of strings. */
    readonly repeatable?: readonly string[];
    /**
     * Whether undeclared query parameters are search attributes, which the handler receives unparsed in `attributes`.
     */
    readonly hasAttributes?: true;
    /** The body: `json` with a schema, or `text` if the body is not parsed. */
    readonly body?: ({ readonly json: Schema } | { readonly text: { readonly maxBytes: number } }) & {
      readonly example: unknown;
    };
  };
  /** The replies by status: `json(…)`, `empty(…)`, `page(…)` or `bytes(…)`. */
  readonly replies: Readonly<Record<number, Replies>>;
  /** The values that override the default configuration of the function. */
  readonly runsOn?: {
    readonly memoryMegabytes: number;
    readonly timeoutSeconds: number;
    readonly variables: Readonly<Record<string, string>>;
    /**
     * Native or WebAssembly packages, which cannot be bundled. The function's deployment package includes such packages
     * unchanged.
     */
    readonly packages: readonly string[];
    /** Files that run in separate threads or processes and must be bundled separately. */
    readonly threads: readonly string[];
  };
  /** Whether the operation has a lower rate limit because it reads or sends a lot of data. */
  readonly isCostly?: true;
  /** Whether the operation has reserved concurrency, which is also its maximum concurrency. */
  readonly hasReserve?: true;
  /** Client errors specific to the operation. `clientErrorsOf` adds errors implied by the request and scopes. */
  readonly errors: readonly ClientErrorName[];
  /** Describes who is affected, and how, while this operation fails. Alarms quote this text. */
  readonly impact: string;
}

/** Defines an endpoint and keeps the exact types of its request, replies, capabilities and settings. */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

/** Returns the HTTP methods of an operation. */
export const methodsOf = ({ method, hasHead }: Endpoint): readonly (Endpoint['method'] | 'HEAD')[] =>
  hasHead ? [method, 'HEAD'] : [method];

/**
 * Returns the scopes that affect an operation: its required scopes and, if the operation checks ownership, the admin
 * scope.
 */
export const relevantScopes = ({ scopes, reads }: Endpoint): readonly Scope[] =>
  reads.includes('subscriptionOwnership') ? [...scopes, adminScope] : scopes;

/** Returns whether the operation has a reply of the given kind. */
export const hasReplyOf = ({ replies }: Endpoint, kind: Reply['kind']): boolean =>
  Object.values(replies).some((reply) => reply.kind === kind);

/** The parsed values of parameters, such as `{ limit: number | undefined }` for an optional numeric `limit`. */
type Values<P> = P extends Parameters ? { readonly [K in keyof P]: z.output<P[K]['schema']> } : Record<never, never>;

/**
 * The request that a handler receives, with every declared parameter and body parsed. For example, `request: { path: {
 * uuid }, body: { json: z.array(expression), … } }` gives the handler the string `path.uuid` and an array of
 * expressions as `body`. Code that uses an undeclared parameter, such as `query.limit`, does not compile.
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
  readonly operation: string;
  /** The API Gateway request id, which is included in log lines. */
  readonly requestId: string;
  /** The key that identifies the caller. The key is empty if the token lacks the caller claim. */
  readonly caller: string;
  /**
   * The key that identifies the client for subscription ownership and rate limits. If `caller` is empty, the key
   * contains the token's subject.
   */
  readonly client: string;
  /** Whether the access token allows the client to see and change other clients' subscriptions. */
  readonly isAdmin: boolean;
}

type BodyOf<R extends Reply> = R extends { kind: 'json' | 'page'; schema: infer S extends Schema }
  ? { readonly body: z.input<S> }
  : R extends { kind: 'bytes' }
    ? { readonly body: NodeJS.ReadableStream }
    : { readonly body?: never };

// Undeclared headers have the type `never`, because TypeScript checks excess properties only in object literals.
type HeadersOf<R extends Reply> = z.input<R['headers']> & {
  readonly [Other in Exclude<HeaderName, keyof R['headers']['shape']>]?: never;
};

/** `headers` may be omitted if every header is optional. */
type HasHeaders<H> = Record<never, never> extends H ? { readonly headers?: H } : { readonly headers: H };

/**
 * The reply that a handler may return: a declared status with its body and headers. For example: `{ status: 200; body:
 * Topic[]; headers?: { link?: string } } | { status: 204 }`.
 */
export type ReplyOf<E extends Endpoint> = {
  [Status in keyof E['replies'] & number]: { readonly status: Status } & BodyOf<E['replies'][Status]> &
    HasHeaders<HeadersOf<E['replies'][Status]>>;
}[keyof E['replies'] & number];
