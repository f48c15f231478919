import { computed, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const name = 'theme';

const stored = (): Theme => {
  const value = localStorage.getItem(name);
  return value === 'light' || value === 'dark' ? value : 'system';
};

export const theme = signal<Theme>('system');

const system = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(system.matches);
system.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});

/** For what is drawn with colours and not styled with them. */
export const isDark = computed(() => (theme.value === 'system' ? isSystemDark.value : theme.value === 'dark'));

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
