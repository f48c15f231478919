import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { call } from '../../api/client.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { textOf } from '../../ui/states.tsx';

/** A photo that the service has. */
export interface Photo {
  name: string;
  url: string;
}

/** As many as a customer can send with the form of the tracking page. */
const most = 5;

interface PhotoFieldProps {
  photos: readonly Photo[];
  fault?: string | undefined;
  /** What to say about them. */
  help?: (count: number) => string;
  onPhotos: (photos: Photo[]) => void;
}

const photosHelp = (count: number) => t('support.claim.photosHelp', { count });

/** Photos are sent when they are chosen, so that the form itself is sent at once. */
export function PhotoField({ photos, fault, help = photosHelp, onPhotos }: PhotoFieldProps) {
  const id = useId();
  const isBusy = useSignal(false);
  const failed = useSignal<string | undefined>(undefined);
  const add = async (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])].slice(0, most - photos.length);
    isBusy.value = true;
    failed.value = undefined;
    const added: Photo[] = [];
    try {
      for (const file of files) added.push({ name: file.name, url: await upload(file) });
    } catch (error) {
      failed.value = textOf(error);
    }
    input.value = '';
    isBusy.value = false;
    onPhotos([...photos, ...added]);
  };
  const message = failed.value ?? fault;
  return (
    <div class={message ? 'field faulty' : 'field'}>
      <label for={id}>
        {t('support.claim.photos')} <span class="muted">{t('common.optional')}</span>
      </label>
      {photos.length < most && (
        <input
          id={id}
          type="file"
          multiple
          accept="image/jpeg,image/png,image/gif,image/webp"
          disabled={isBusy.value}
          aria-describedby={`${id}-help`}
          onChange={(event) => add(event.currentTarget)}
        />
      )}
      <p class="help" id={`${id}-help`} role="status">
        {isBusy.value ? t('support.claim.photosSending') : help(most)}
      </p>
      {message && <p class="fault">{message}</p>}
      {photos.length > 0 && (
        <ul class="chosen-photos">
          {photos.map(({ name, url }) => (
            <li key={url}>
              <bdi>{name}</bdi>
              <Button kind="plain" onClick={() => onPhotos(photos.filter((one) => one.url !== url))}>
                {t('common.remove')} <span class="hidden">{name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

async function upload(file: File): Promise<string> {
  const body = new FormData();
  body.set('image_type', 'claim');
  body.set('image', await shrunk(file));
  return (await call('uploadImage', { body })).url;
}

/** The service takes files up to 4 MB, and photos of phones are often larger. */
const largestBytes = 3_000_000;
const longestSide = 2400;

async function shrunk(file: File): Promise<Blob> {
  if (file.size <= largestBytes) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
}
