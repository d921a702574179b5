export type Tags = Record<string, string>;

export interface Item {
  type: 'node' | 'way' | 'relation' | 'area';
  id: number;
  tags: Tags;
  lat: number;
  lon: number;
  /** Ids of the areas that contain it. */
  within: number[];
}

/** The id of an area is the id of its relation plus this. */
const AREA = 3_600_000_000;

export class ParseError extends Error {}

type Sets = Record<string, Item[]>;
type Test = (item: Item) => boolean;

const TYPES: Record<string, Item['type'][]> = {
  area: ['area'],
  rel: ['relation'],
  nwr: ['node', 'way', 'relation'],
};

/**
 * Runs a query in the part of Overpass QL that is needed here: settings, unions, queries by tags, patterns, areas and
 * boxes, map_to_area and out. Anything else is a syntax error, as it is for the real one.
 */
export class OverpassInterpreter {
  private at = 0;
  private readonly sets: Sets = {};
  private readonly shown: Item[] = [];

  constructor(
    private readonly text: string,
    private readonly world: Item[],
  ) {}

  run(): Item[] {
    this.take(/\[out:json\]\[timeout:\d+\];/y);
    while (this.at < this.text.length) this.statement();
    return this.shown;
  }

  private statement(): void {
    const [, input = '_', act] = this.maybe(/(?:\.(\w+) )?(out|map_to_area)\b/y) ?? [];
    if (act === 'out') this.out(input);
    else this.assignment(act ? this.areasOf(input) : this.selection());
  }

  private assignment(items: Item[]): void {
    const [, into = '_'] = this.maybe(/->\.(\w+)/y) ?? [];
    this.take(/;/y);
    this.sets[into] = items;
  }

  private out(input: string): void {
    const [, most] = this.take(/(?: center)? tags (\d+);/y);
    this.shown.push(...(this.sets[input] ?? []).slice(0, Number(most)));
  }

  private areasOf(input: string): Item[] {
    const ids = new Set((this.sets[input] ?? []).map(({ id }) => id + AREA));
    return this.world.filter(({ type, id }) => type === 'area' && ids.has(id));
  }

  private selection(): Item[] {
    if (!this.maybe(/\(/y)) return this.query();
    const items = new Set<Item>();
    while (!this.maybe(/\)/y)) {
      for (const item of this.selection()) items.add(item);
      this.take(/;/y);
    }
    return [...items];
  }

  private query(): Item[] {
    const [type = ''] = this.take(/area|rel|nwr/y);
    const tests: Test[] = [];
    for (let test = this.filter(); test; test = this.filter()) tests.push(test);
    return this.world.filter((item) => TYPES[type]?.includes(item.type) && tests.every((test) => test(item)));
  }

  private filter(): Test | undefined {
    if (this.maybe(/\[/y)) return this.tagFilter();
    const [, set, id, box] = this.maybe(/\((?:area\.(\w+)|area:(\d+)|([-\d.]+(?:,[-\d.]+){3}))\)/y) ?? [];
    if (set) return ({ within }) => (this.sets[set] ?? []).some((area) => within.includes(area.id));
    if (id) return ({ within }) => within.includes(Number(id));
    const [south = 0, west = 0, north = 0, east = 0] = box?.split(',').map(Number) ?? [];
    return box ? ({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east : undefined;
  }

  private tagFilter(): Test {
    const key = this.string();
    const [operator] = this.maybe(/[=~]/y) ?? [];
    const value = operator ? this.string() : '';
    const [flag] = operator === '~' ? (this.maybe(/,i/y) ?? []) : [];
    this.take(/\]/y);
    const pattern = operator === '~' ? new RegExp(value, flag ? 'i' : '') : undefined;
    return ({ tags }) => {
      const given = tags[key];
      if (given === undefined) return false;
      return pattern ? pattern.test(given) : operator !== '=' || given === value;
    };
  }

  private string(): string {
    const [, inner = ''] = this.take(/"((?:[^"\\]|\\.)*)"/y);
    return inner.replace(/\\(.)/g, '$1');
  }

  private maybe(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.at;
    const found = token.exec(this.text) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }

  private take(token: RegExp): RegExpExecArray {
    const found = this.maybe(token);
    if (!found) throw new ParseError(`line 1: parse error: unexpected '${this.text.slice(this.at, this.at + 20)}'`);
    return found;
  }
}
