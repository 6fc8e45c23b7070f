/** An invented ethnic group and the parts of its names. The parts and a rank determine a name. */
export interface People {
  readonly script: string;
  /** The percentage of families that belong to the ethnic group. */
  readonly share: number;
  readonly syllables: string;
  readonly given: readonly [number, number];
  readonly family: readonly [number, number];
  readonly givenNames: number;
  readonly familyNames: number;
  readonly endings: { readonly 2: string; readonly 1: string; readonly family: string };
  readonly isFamilyFirst?: true;
  /**
   * The percentage of brides who take the groom's family name, and the percentage of brides who append it to their own
   * name. All other brides keep their name.
   */
  readonly brides: { readonly take: number; readonly join: number };
}

const european = { given: [1, 2], family: [1, 3], givenNames: 1500, familyNames: 20_000 } as const;
const keeping = { take: 0, join: 0 } as const;

export const peoples: readonly People[] = [
  {
    ...european,
    script: 'Latin',
    share: 34,
    syllables: 'mar tin ro sel an gar bel du val ker lin mo ri ha wes ton bra der fi lo gan tor ven al sim per cor',
    endings: { 2: 'a e ine ette ia', 1: '  o us ert', family: '  s son mann ier' },
    brides: { take: 60, join: 15 },
  },
  {
    ...european,
    script: 'Latin with diacritics',
    share: 24,
    syllables: 'jó żel sø ñar čer ří łu gé öst är šim dvo bě ção nú ãe ký ød ţe ğan çel ïr ûl ßen þor æl ýk',
    endings: { 2: 'á ová ía é', 1: '  š ek ín', family: '  ský ová ñez sson' },
    brides: { take: 70, join: 5 },
  },
  {
    ...european,
    script: 'Greek',
    share: 8,
    syllables: 'νι κό λα γε ώρ δη μή τρι πα πά σο φί μα ρί κων στα θέ βα σί λε αν',
    endings: { 2: 'α η ώ', 1: 'ος ης ας', family: 'ίδης όπουλος άκης ου' },
    brides: keeping,
  },
  {
    ...european,
    script: 'Cyrillic',
    share: 10,
    syllables: 'вла ди бо рис ля ни ко лай тё мя сер гей ми ро зор ян ки ри сла вё йо щу жан',
    endings: { 2: 'а на я', 1: '  й слав', family: 'ов ова енко ский ић' },
    brides: { take: 75, join: 3 },
  },
  {
    ...european,
    script: 'Arabic',
    share: 8,
    syllables: 'سا مي نا دي را شيد خا لد فا ها كر يم زي عم جا بر',
    endings: { 2: 'ة ى اء', 1: '  ن د', family: '  ي اوي' },
    brides: keeping,
  },
  {
    script: 'Han',
    share: 7,
    syllables: '山 川 林 石 田 木 水 月 星 海 雪 花 春 明 文 永 平 安 龍 麗 静 秀 青 白 金 玉 北 南 東 西 高 原',
    given: [1, 2],
    family: [1, 2],
    givenNames: 900,
    familyNames: 1000,
    endings: { 2: '  子 美', 1: '  一 夫', family: '  ' },
    brides: keeping,
    isFamilyFirst: true,
  },
  {
    ...european,
    script: 'Devanagari',
    share: 5,
    syllables: 'रा म ल क्ष्मी न दे व प्रि या सु नी ता अ जय गो पा ह री कि शो',
    endings: { 2: 'ा ी', 1: '  न श', family: '  न ाल' },
    brides: { take: 80, join: 0 },
  },
  {
    script: 'Hangul',
    share: 4,
    syllables: '김 서 윤 민 지 호 현 수 은 하 도 준 예 진 영 혜 태 선 우 아',
    given: [2, 2],
    family: [1, 1],
    givenNames: 400,
    familyNames: 20,
    endings: { 2: '  ', 1: '  ', family: '  ' },
    brides: keeping,
    isFamilyFirst: true,
  },
];

const listOf = (() => {
  const known = new Map<string, readonly string[]>();
  return (text: string): readonly string[] => {
    const list = known.get(text) ?? [...new Set(text.split(' '))];
    known.set(text, list);
    return list;
  };
})();

/**
 * Composes the name with a given rank. Names with consecutive ranks look unrelated. The same rank always yields the
 * same name.
 */
function compose(syllables: string, [least, most]: readonly [number, number], endings: string, rank: number): string {
  let mixed = Math.imul(rank + 1, 0x9e3779b1) >>> 0;
  const draw = (list: readonly string[]): string => {
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0;
    return list[(mixed >>> 8) % list.length] ?? '';
  };
  const count = least + (rank % (most - least + 1));
  const name = Array.from({ length: count }, () => draw(listOf(syllables))).join('') + draw(listOf(endings));
  return (name.charAt(0).toUpperCase() + name.slice(1)).normalize('NFC');
}

export const givenName = ({ syllables, given, endings }: People, gender: 1 | 2, rank: number): string =>
  compose(syllables, given, endings[gender], rank * 2 + gender);

export const familyName = ({ syllables, family, endings }: People, rank: number): string =>
  compose(syllables, family, endings.family, rank);

const latin = 'mar vil lo ne ber gen san ta por cas tel ro que nor den riv ou al ham ste';

export const placeName = (rank: number): string => compose(latin, [2, 3], 'a e burg ów -sur-Mèr ão  by', rank + 7);
