import { t } from '../texts/texts.ts';
import { SelectField } from './fields.tsx';
import { languageOptions } from './languages.ts';

interface PreviewChoicesProps {
  language: string;
  onLanguage: (language: string) => void;
  theme: string;
  onTheme: (theme: string) => void;
}

/** Who reads what is previewed: in which language, and in which theme. */
export const PreviewChoices = ({ language, onLanguage, theme, onTheme }: PreviewChoicesProps) => (
  <>
    <SelectField
      label={t('preview.language')}
      name="preview-language"
      value={language}
      onValue={onLanguage}
      options={[{ value: '', label: t('preview.ofShop') }, ...languageOptions()]}
    />
    <SelectField
      label={t('preview.theme')}
      name="preview-theme"
      value={theme}
      onValue={onTheme}
      options={(['', 'light', 'dark'] as const).map((value) => ({
        value,
        label: t(`app.theme.${value === '' ? 'system' : value}`),
      }))}
    />
  </>
);
