/** "1 feed", "2,880 items". */
export function countOf(many: number, one: string, several = `${one}s`): string {
  return `${many.toLocaleString('en')} ${many === 1 ? one : several}`;
}
