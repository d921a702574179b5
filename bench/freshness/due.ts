/** A queue of due times, earliest first. A source has one time; a new one replaces it. */
export class Due {
  private readonly heap: { at: number; index: number }[] = [];
  private readonly times: Float64Array;

  constructor(size: number) {
    this.times = new Float64Array(size).fill(Infinity);
  }

  set(index: number, at: number): void {
    if (this.times[index] === at) return;
    this.times[index] = at;
    if (at < Infinity) this.push({ at, index });
  }

  /** Takes the first source that is due before `end`. */
  take(end: number): { at: number; index: number } | undefined {
    for (let first = this.heap[0]; first && first.at < end; first = this.heap[0]) {
      this.pop();
      if (this.times[first.index] !== first.at) continue;
      this.times[first.index] = Infinity;
      return first;
    }
    return undefined;
  }

  private push(entry: { at: number; index: number }): void {
    const { heap } = this;
    let place = heap.push(entry) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (!above || above.at <= entry.at) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = entry;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (!last || !heap.length) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && at(heap, child + 1) < at(heap, child)) child++;
      if (at(heap, child) >= last.at) break;
      heap[place] = heap[child] as (typeof heap)[number];
      place = child;
    }
    heap[place] = last;
  }
}

const at = (heap: { at: number }[], place: number) => heap[place]?.at ?? Infinity;
