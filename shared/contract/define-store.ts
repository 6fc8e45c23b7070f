import type { Capability } from './capability.ts';

type Permissions<Client> = Readonly<Record<string, (client: Client, address: string) => object>>;

/**
 * A store: for each permission, a function that opens its methods. `client` is called at first use, so that a function
 * loads only the AWS clients that it touches.
 */
export interface Store<
  Name extends string = string,
  // biome-ignore lint/suspicious/noExplicitAny: stores of different AWS clients stand in one list
  P extends Permissions<any> = Permissions<any>,
> {
  readonly name: Name;
  readonly client: () => unknown;
  readonly permissions: P;
  /**
   * Makes the client's first call, which takes longest, before anybody waits for it: one that the capability allows, and that
   * changes nothing.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly prime?: (client: any, address: string, capability: Capability) => Promise<void>;
  /**
   * Whether it is asked while another store of the same client is: a request then needs two connections at once, of which
   * the other store primes one and this the other.
   */
  readonly isAskedBeside?: boolean;
}

/** Keeps in the type a store's name and what each of its permissions opens. */
export const defineStore = <const Name extends string, Client, P extends Permissions<Client>>(store: {
  name: Name;
  client: () => Client;
  permissions: P & Permissions<Client>;
  prime?: (client: Client, address: string, capability: Capability) => Promise<void>;
  isAskedBeside?: boolean;
}): Store<Name, P> => store;

/** All of a union at once: `{ get } | { list }` becomes `{ get } & { list }`. */
type Union2Intersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never;

/** What one store gives to who uses these capabilities. */
type GrantedBy<S, Uses extends string> =
  S extends Store<infer Name, infer P>
    ? Union2Intersection<
        { [K in keyof P & string]: `${Name}:${K}` extends Uses ? ReturnType<P[K]> : never }[keyof P & string]
      >
    : never;

/**
 * The store methods that `Uses` grants, by store name. A method that was not declared is not there.
 *
 * With `topics` a store whose permission `read` opens `{ get }` and whose `create` opens `{ ensure }`,
 * `Granted<[typeof topics], 'topics:read'>` is `{ topics: { get } }`, and with `'topics:read' | 'topics:create'` it is
 * `{ topics: { get } & { ensure } }`.
 */
export type Granted<Stores extends readonly Store[], Uses extends string> = {
  readonly [S in Stores[number] as S['name']]: GrantedBy<S, Uses>;
};
