/**
 * Random secrets that the stack creates at its first deployment. Keys are derived from them. Operators may rotate the
 * secrets with `isRotated`. The stack prevents changes to the other secrets.
 */
export const secrets = {
  signing: { meaning: 'signs deliveries and unsubscribe links', isRotated: true },
  naming: {
    meaning:
      'derives subscription ids and hashes of retired UINs, so that they reveal no address and no UIN; it must never change',
    isRotated: false,
  },
} as const satisfies Record<string, { meaning: string; isRotated: boolean }>;

export type SecretName = keyof typeof secrets;

/**
 * The number of minutes for which a function may cache a secret. After a rotation, every function uses the new secret
 * within `secretMinutes`.
 */
export const secretMinutes = 5;
