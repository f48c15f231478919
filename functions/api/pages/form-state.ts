import type { PageTexts } from './texts/page-texts.ts';

type FaultKey = Exclude<keyof PageTexts['faults'], 'summary'>;

export interface ClaimFormState {
  formKey: string;
  values: {
    reason?: string | undefined;
    description?: string | undefined;
    resolution_preference?: string | undefined;
    selected_items: string[];
    tracking_number?: string | undefined;
  };
  items: { value: string; title: string; image_url: string | null; parcel: number }[];
  faults: Partial<
    Record<
      'reason' | 'description' | 'resolution_preference' | 'selected_items' | 'tracking_number' | 'images' | 'form',
      FaultKey
    >
  >;
}
