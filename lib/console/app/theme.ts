import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const name = 'theme';

const stored = (): Theme => {
  const value = localStorage.getItem(name);
  return value === 'light' || value === 'dark' ? value : 'system';
};

export const theme = signal<Theme>('system');

export function applyTheme(chosen: Theme = stored()): void {
  theme.value = chosen;
  if (chosen === 'system') {
    localStorage.removeItem(name);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(name, chosen);
    document.documentElement.dataset.theme = chosen;
  }
}
