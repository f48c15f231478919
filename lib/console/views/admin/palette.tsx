import { coloursOf, contrastOf } from '#schemas/look/palette.ts';
import type { BrandPalette } from '#schemas/shapes/settings-shapes.ts';
import { call, callWithEtag } from '../../api/client.ts';
import { can } from '../../app/session.ts';
import { number, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { ColourField } from '../../ui/fields.tsx';
import { Page } from '../../ui/parts.tsx';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { SettingsForm, type Stored } from './settings-form.tsx';

type Name = keyof BrandPalette;

const names: readonly Name[] = [
  'primary_dark',
  'primary_light',
  'secondary_light',
  'secondary_dark',
  'background',
  'surface',
];

async function read(): Promise<Stored<BrandPalette>> {
  const { answer, etag } = await callWithEtag('getBrandPalette');
  return { values: answer, etag };
}

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** An empty colour is the service's own. */
const save = (changes: Partial<BrandPalette>, ifMatch: string | undefined) => {
  const body = Object.fromEntries(Object.entries(changes).map(([name, colour]) => [name, colour.trim() || null]));
  return call('updateBrandPalette', { body, ifMatch });
};

/** The service takes null for its own colour, also in a draft. What is half typed is left out. */
const draftOf = (values: BrandPalette) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, colour]) => colour === '' || isColour(colour))
      .map(([name, colour]) => [name, colour || null]),
  );

export default function Palette() {
  return (
    <Page title={t('admin.palette.title')}>
      <p>{t('admin.palette.intro')}</p>
      <SettingsForm<BrandPalette>
        read={read}
        save={save}
        needs="updateBrandPalette"
        aside={(values) => <PreviewFrame draft={{ palette: draftOf(values) }} />}
      >
        {(form) => (
          <>
            {names.map((name) => (
              <div key={name} class="palette-colour">
                <ColourField
                  label={t(`admin.palette.${name}`)}
                  help={<Contrast name={name} palette={form.values.value} />}
                  {...form.field(name)}
                />
                {can('updateBrandPalette') && form.values.value[name] !== '' && (
                  <Button
                    kind="plain"
                    aria-label={t('admin.palette.resetOne', { name: t(`admin.palette.${name}`) })}
                    onClick={() => form.set({ [name]: '' })}
                  >
                    {t('admin.palette.reset')}
                  </Button>
                )}
              </div>
            ))}
          </>
        )}
      </SettingsForm>
    </Page>
  );
}

/** Where a colour stands on the page, as what, and what stands on it or behind it. */
const uses = {
  primary_dark: ['light', 'link', 'ground'],
  primary_light: ['dark', 'link', 'ground'],
  secondary_light: ['light', 'offer', 'on-offer'],
  secondary_dark: ['dark', 'offer', 'on-offer'],
  background: ['light', 'ground', 'text'],
  surface: ['light', 'surface', 'text'],
} as const;

/** The contrast that the page reaches with a colour, and the colour that it takes instead if this one could not be read. */
function Contrast({ name, palette }: { name: Name; palette: BrandPalette }) {
  const use = t(`admin.palette.${name}Help`);
  if (palette[name] === '') return <>{`${use} ${t('admin.palette.own')}`}</>;
  if (!names.every((one) => isColour(palette[one]))) return <>{use}</>;
  const [scheme, own, other] = uses[name];
  const colours = coloursOf(palette, scheme);
  const used = colours[own];
  const ratio = number(contrastOf(used, colours[other]), { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  const isAdjusted = used.toLowerCase() !== palette[name].toLowerCase();
  return (
    <>
      {use} <strong>{t('admin.palette.contrast', { ratio })}</strong>{' '}
      {isAdjusted && t('admin.palette.adjusted', { colour: used })}
    </>
  );
}
