import { Problem } from '../api/problem';
import { ProblemNote } from './problem-note';

interface Props {
  error: Error;
  /** Whether what is wrong with a field of the request is shown by a field of the form. */
  isPlaced: (path: string) => boolean;
}

/** What went wrong with a form; what stands by its fields is not said twice. */
export function FormProblem({ error, isPlaced }: Props) {
  const rest = error instanceof Problem ? error.fields.filter(({ path }) => !isPlaced(path)) : [];
  if (!(error instanceof Problem) || !error.fields.length) return <ProblemNote error={error} />;
  const words = rest.length
    ? rest.map(({ path, message }) => `${path}: ${message}`).join('; ')
    : 'Some of it was refused. What is wrong is said by the fields.';
  return <ProblemNote error={new Error(words)} />;
}
