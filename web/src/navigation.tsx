import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { showKeyboardHelp } from './keyboard/keyboard-help';
import { signOut } from './session/use-me';
import type { View } from './views/views';

export function Navigation({ views }: { views: readonly View[] }) {
  const [location] = useLocation();
  return (
    <header className="rail">
      <Link href="/feed" className="brand">
        <img src="/icon.svg" alt="" width="26" height="26" />
        <span>Millrace</span>
      </Link>
      <nav aria-label="Views">
        <ul>
          {views.map(({ path, name, shortName, icon, key }) => (
            <li key={path}>
              <Link
                href={path}
                aria-current={location.startsWith(path) ? 'page' : undefined}
                title={`${name} (g ${key})`}
              >
                <Icon path={icon} />
                <NavigationName name={name} shortName={shortName} />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="rail-end">
        <ThemeChoice />
        <button type="button" className="quiet for-keyboards" onClick={showKeyboardHelp}>
          Shortcuts <kbd>?</kbd>
        </button>
        <button type="button" className="quiet" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </header>
  );
}

/** A phone shows the short name; screen readers always read the long one. */
function NavigationName({ name, shortName }: Pick<View, 'name' | 'shortName'>) {
  if (!shortName) return <span>{name}</span>;
  return (
    <>
      <span className="long-name">{name}</span>
      <span className="short-name" aria-hidden="true">
        {shortName}
      </span>
    </>
  );
}

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'millrace-theme';

const storedTheme = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto';

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return (
    <label className="theme">
      <span>Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** Hidden from screen readers: a button without text needs its own `aria-label`. */
function Icon({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
