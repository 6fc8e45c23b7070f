import type { Capability } from './capabilities.ts';

type Permissions<Client> = Readonly<Record<string, (client: Client, address: string) => object>>;

/**
 * For each permission, a store has a function that creates the permitted methods. The function `client` is called when
 * the store is first used, so that a Lambda function loads only the AWS clients that it needs.
 */
export interface Store<
  Name extends string = string,
  // biome-ignore lint/suspicious/noExplicitAny: the list contains stores that use different AWS clients
  Client = any,
  P extends Permissions<Client> = Permissions<Client>,
> {
  readonly name: Name;
  readonly client: () => Client;
  readonly permissions: P & Permissions<Client>;
  /**
   * Makes the client's first call, which is the slowest, during initialisation. The capability must allow the warm-up
   * call, and the call must not change any data.
   */
  readonly warmUp?: (client: Client, address: string, capability: Capability) => Promise<unknown>;
  /**
   * Whether requests use this store concurrently with another store that has the same client. A store that is used
   * concurrently warms up a separate connection.
   */
  readonly isUsedConcurrently?: boolean;
}

/** Defines a store and keeps the exact types of its name and methods. */
export const defineStore = <const Name extends string, Client, P extends Permissions<Client>>(
  store: Store<Name, Client, P>,
): Store<Name, Client, P> => store;

/** The intersection of the members of a union: `{ get } & { list }` for `{ get } | { list }`. */
type Union2Intersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never;

/** The methods of one store that the capabilities `Uses` grant. */
type GrantedBy<S, Uses extends string> =
  S extends Store<infer Name, infer _, infer P>
    ? Union2Intersection<
        { [K in keyof P & string]: `${Name}:${K}` extends Uses ? ReturnType<P[K]> : never }[keyof P & string]
      >
    : never;

/**
 * The granted store methods, by store name. Methods that are not granted do not exist. Example: `topics` has the
 * permissions `read` with `{ get }` and `create` with `{ ensure }`. `Granted<[typeof topics], 'topics:read'>` is `{
 * topics: { get } }`.
 */
export type Granted<Stores extends readonly Store[], Uses extends string> = {
  readonly [S in Stores[number] as S['name']]: GrantedBy<S, Uses>;
};
