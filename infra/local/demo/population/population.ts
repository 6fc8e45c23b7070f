import type { Attributes } from '../../../../shared/domain/persons/attributes.ts';
import { uinAt } from './chance.ts';
import { households } from './households.ts';

export interface Citizen {
  readonly uin: string;
  readonly attributes: Attributes;
}

interface PopulationOptions {
  readonly size: number;
  readonly seed?: number;
  /** Adds `fatherName` and `motherName`, as far as they are known: attributes that a deployment may declare. */
  readonly hasParents?: boolean;
}

/**
 * The people of an invented country, one by one: families of several scripts, with names as unevenly spread as real ones,
 * twins, remarried people, deaths, and gaps in what is known. The same seed gives the same people.
 */
export function* population({ size, ...options }: PopulationOptions): Generator<Citizen> {
  let index = 0;
  for (const { members } of households(options)) {
    for (const { attributes } of members) {
      if (index === size) return;
      yield { uin: uinAt(index), attributes };
      index += 1;
    }
  }
}
