import { useLocation } from 'wouter';
import type { View } from '../views/views';
import { showKeyboardHelp } from './keyboard-help';
import { useKeys } from './use-keys';

export function useViewKeys(views: readonly View[]): void {
  const [, navigate] = useLocation();
  const goTo = views.map(({ key, path }) => [`g ${key}`, () => navigate(path)] as const);
  useKeys({ ...Object.fromEntries(goTo), '?': showKeyboardHelp });
}
