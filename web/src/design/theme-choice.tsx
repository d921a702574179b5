import { useEffect, useState } from 'react';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'millrace-theme';

const kept = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto';

/** As the system has it, unless told otherwise. */
export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(kept);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return (
    <label className="theme">
      <span>Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
