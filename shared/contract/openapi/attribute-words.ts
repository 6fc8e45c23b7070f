import type { attributeKinds } from '../../domain/persons/attributes.ts';

interface AttributeWords {
  readonly description: string;
  readonly example: string | number;
}

/** Each attribute of OSIA's (data access 1.0): its meaning, and a value. */
const osiaWords: Readonly<Record<keyof typeof attributeKinds, AttributeWords>> = {
  uin: { description: 'Unique Identity Number.', example: '194837260511' },
  firstName: { description: 'First name.', example: 'Inés' },
  lastName: { description: 'Last name.', example: 'García Müller' },
  spouseName: { description: 'Spouse name.', example: 'Okafor' },
  dateOfBirth: { description: 'Date of birth.', example: '2024-02-29' },
  placeOfBirth: { description: 'Place of birth.', example: 'Málaga' },
  gender: {
    description: 'Gender by ISO 5218: 0 not known, 1 male, 2 female, 9 not applicable.',
    example: 2,
  },
  dateOfDeath: { description: 'Date of death.', example: '2025-11-20' },
  placeOfDeath: { description: 'Place of death.', example: 'Sevilla' },
  reasonOfDeath: { description: 'Reason of death.', example: 'illness' },
  status: { description: 'Status of the person, such as missing, wanted or dead.', example: 'missing' },
};

/** What is said of an attribute; those that a deployment adds are text. */
export const attributeWords = (name: string): AttributeWords =>
  Object.hasOwn(osiaWords, name)
    ? osiaWords[name as keyof typeof osiaWords]
    : { description: `${name}: an attribute of this deployment, beyond OSIA’s eleven.`, example: 'AB-123456' };
