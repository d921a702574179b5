/** Remembers the routes, to tell "no such address" from "not with this method". */
export class AllowedMethods {
  private readonly methods = new Map<string, Set<string>>();

  add(route: string, methods: string | string[]): void {
    const known = this.methods.get(route) ?? new Set();
    for (const method of [methods].flat()) known.add(method);
    this.methods.set(route, known);
  }

  for(path: string): string[] {
    const found = [...this.methods].filter(([route]) => route !== '/*' && route !== '*' && matches(route, path));
    return [...new Set(found.flatMap(([, methods]) => [...methods]))].sort();
  }
}

function matches(route: string, path: string): boolean {
  const expected = route.split('/');
  const given = path.split('/');
  const rest = expected.indexOf('*');
  if (rest === -1 ? given.length !== expected.length : given.length <= rest) return false;
  return expected.every((part, index) => part === '*' || part.startsWith(':') || part === given[index]);
}
