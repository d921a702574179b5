/** A document that goes deeper is no feed; what lies deeper is left alone. */
const MAX_DEPTH = 100;

interface OpenElement<T> {
  /** In lower case. */
  name: string;
  value: T;
}

/** The elements around a place in a document whose end tags cannot be relied on. */
export class OpenElements<T> {
  private readonly elements: OpenElement<T>[] = [];

  constructor(private readonly maxDepth = MAX_DEPTH) {}

  get depth(): number {
    return this.elements.length;
  }

  get innermost(): OpenElement<T> | undefined {
    return this.elements.at(-1);
  }

  get outermost(): OpenElement<T> | undefined {
    return this.elements[0];
  }

  has(name: string): boolean {
    return this.indexOf(name) >= 0;
  }

  /** False if it lies too deep. */
  open(name: string, value: T): boolean {
    if (this.elements.length >= this.maxDepth) return false;
    this.elements.push({ name, value });
    return true;
  }

  /** Ends the innermost element of that name and all inside of it, which are handed back, inner ones first. */
  close(name: string): OpenElement<T>[] {
    const at = this.indexOf(name);
    return at < 0 ? [] : this.elements.splice(at).reverse();
  }

  closeAll(): OpenElement<T>[] {
    return this.elements.splice(0).reverse();
  }

  private indexOf(name: string): number {
    return this.elements.findLastIndex((element) => element.name === name);
  }
}
