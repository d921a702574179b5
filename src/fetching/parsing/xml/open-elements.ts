/** Maximum nesting depth. Deeper elements are ignored, because no feed needs them. */
const MAX_DEPTH = 100;

interface OpenElement<T> {
  name: string;
  value: T;
}

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

  open(name: string, value: T): boolean {
    if (this.elements.length >= this.maxDepth) return false;
    this.elements.push({ name, value });
    return true;
  }

  /** Also closes everything inside. The result has the inner elements first. */
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
