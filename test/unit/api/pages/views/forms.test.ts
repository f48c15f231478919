import { describe, expect, test } from 'vitest';
import { type ClaimFormState, claimView, type FaultKey } from '#api/pages/views/claim-view.ts';
import { errorView } from '#api/pages/views/error-view.ts';
import { lookupView } from '#api/pages/views/lookup-view.ts';
import { claimReasons } from '#schemas/catalogues/enumerations.ts';
import { claimLimits } from '#schemas/catalogues/limits.ts';
import { contextIn, links, sampleFacts, shop, token } from '#test/kit/page-samples.ts';
import { elementsIn, named, parseHtml, textOf, textsOf } from '#test/kit/parse-html.ts';

const english = await contextIn('en');
const sample = await sampleFacts();

const empty: ClaimFormState = {
  formKey: 'the-key',
  values: { selected_items: [] },
  items: [
    { value: 'sku-1', title: 'Linen shirt', image_url: null, parcel: 0 },
    { value: 'sku-2', title: 'Cups', image_url: null, parcel: 0 },
  ],
  faults: {},
};

type Tree = ReturnType<typeof parseHtml>;
const byId = (page: Tree, id: string) => elementsIn(page).find(({ attributes }) => attributes.id === id);
const inputs = (page: Tree, name: string) => named(page, 'input').filter(({ attributes }) => attributes.name === name);
const chosen = (page: Tree, name: string) =>
  inputs(page, name).flatMap(({ attributes }) => ('checked' in attributes ? [attributes.value] : []));

describe('the form to report a problem', () => {
  test('has the fields of a claim, and its key', () => {
    const { status, content } = claimView(sample, empty, english);
    const page = parseHtml(content);
    expect(status).toBe(200);
    expect(inputs(page, 'reason').map(({ attributes }) => attributes.value)).toEqual([...claimReasons]);
    expect(inputs(page, 'selected_items').map(({ attributes }) => attributes.value)).toEqual(['sku-1', 'sku-2']);
    expect(inputs(page, 'form_key')[0]!.attributes).toMatchObject({ type: 'hidden', value: 'the-key' });
    expect(inputs(page, 'images')[0]!.attributes).toMatchObject({ type: 'file', multiple: '' });
    expect(named(page, 'form')[0]!.attributes).toEqual({ method: 'post', enctype: 'multipart/form-data' });
    expect(inputs(page, 'tracking_number')).toEqual([]);
    expect(named(page, 'a').map(({ attributes }) => attributes.href)).toContain(`../${token}?lang=en`);
  });

  test('names the parcel of a product only if it is known', () => {
    const page = { ...sample, parcels: [sample.parcels[0]!, { ...sample.parcels[0]!, number: 2 }] };
    const [shirt, cups] = empty.items;
    const items = [
      { ...shirt!, parcel: null },
      { ...cups!, parcel: 1 },
    ];
    const labels = named(parseHtml(claimView(page, { ...empty, items }, english).content), 'label').map(textOf);
    expect(labels.filter((label) => /^(Linen shirt|Cups)/.test(label))).toEqual([
      'Linen shirt',
      expect.stringContaining('Parcel 2 of 2'),
    ]);
  });

  test('comes again with 422, a message beside each field, and everything that was typed', () => {
    const description = ' \n</textarea><b>"quoted" & more\n';
    const { status, content } = claimView(
      sample,
      {
        ...empty,
        values: { reason: 'damage', description, resolution_preference: 'refund', selected_items: ['sku-2'] },
        faults: { images: 'images_too_large', description: 'description_too_long' },
      },
      english,
    );
    const page = parseHtml(content);
    expect(status).toBe(422);
    expect(chosen(page, 'reason')).toEqual(['damage']);
    expect(chosen(page, 'resolution_preference')).toEqual(['refund']);
    expect(chosen(page, 'selected_items')).toEqual(['sku-2']);
    // Browsers drop one line break after the tag.
    expect(textOf(named(page, 'textarea')[0]!)).toBe(`\n${description}`);
    for (const field of ['images', 'description']) {
      const control = byId(page, field)!;
      expect(control.attributes['aria-invalid']).toBe('true');
      const described = control.attributes['aria-describedby']!.split(' ').map((id) => byId(page, id));
      expect(described.map((one) => textOf(one!)).join(' ')).toContain('too l');
    }
    const summary = elementsIn(page).find(({ attributes }) => attributes.role === 'alert')!;
    expect(named(summary, 'a').map(({ attributes }) => attributes.href)).toEqual(['#images', '#description']);
  });

  test('marks a group of choices, and the summary leads to its first choice', () => {
    const page = parseHtml(claimView(sample, { ...empty, faults: { reason: 'reason_missing' } }, english).content);
    expect(named(page, 'fieldset')[0]!.attributes).toMatchObject({
      role: 'radiogroup',
      'aria-invalid': 'true',
      'aria-describedby': 'reason-fault',
    });
    expect(byId(page, 'reason')!.attributes).toMatchObject({ type: 'radio', value: claimReasons[0] });
  });

  test('asks for the parcel of a split order, also for one without a number, and chooses none itself', () => {
    const [parcel] = sample.parcels;
    const parcels = ['1', null, '3'].map((tracking_number) => ({ ...parcel!, tracking_number }));
    const page = parseHtml(claimView({ ...sample, parcels }, empty, english).content);
    expect(inputs(page, 'tracking_number').map(({ attributes }) => attributes.value)).toEqual(['1', 'parcel-2', '3']);
    expect(chosen(page, 'tracking_number')).toEqual([]);
    const again = claimView(
      { ...sample, parcels },
      { ...empty, values: { ...empty.values, tracking_number: 'parcel-2' } },
      english,
    );
    expect(chosen(parseHtml(again.content), 'tracking_number')).toEqual(['parcel-2']);
  });

  test('names the longest description that a claim takes', () => {
    const help = byId(parseHtml(claimView(sample, empty, english).content), 'description-help')!;
    expect(textOf(help)).toContain(claimLimits.descriptionCharacters.toLocaleString('en'));
  });

  test('answers 429 after too many claims, and 422 to a key that is over', () => {
    const status = (form: FaultKey) => claimView(sample, { ...empty, faults: { form } }, english).status;
    expect([status('too_many_claims'), status('form_expired')]).toEqual([429, 422]);
  });
});

describe('the form to find an order', () => {
  const lookup = (state: 'empty' | 'not_found' | 'too_many' | 'faulty', values = {}) =>
    lookupView({ ...shop, links }, { values, state }, english);

  test('has a status for each state', () => {
    expect((['empty', 'not_found', 'too_many', 'faulty'] as const).map((state) => lookup(state).status)).toEqual([
      200, 404, 429, 422,
    ]);
  });

  test.each(['not_found', 'too_many'] as const)('keeps both fields as they were typed: %s', (state) => {
    const typed = { order_number: '#1 "><script>', email_or_postcode: 'ada@example.com' };
    const page = parseHtml(lookup(state, typed).content);
    expect(byId(page, 'order_number')!.attributes.value).toBe(typed.order_number);
    expect(byId(page, 'email_or_postcode')!.attributes.value).toBe(typed.email_or_postcode);
  });

  test('keeps what was typed if a field is empty, and marks that field', () => {
    const page = parseHtml(lookup('faulty', { order_number: '10024', email_or_postcode: ' ' }).content);
    expect(byId(page, 'order_number')!.attributes.value).toBe('10024');
    expect(byId(page, 'order_number')!.attributes).not.toHaveProperty('aria-invalid');
    expect(byId(page, 'email_or_postcode')!.attributes['aria-invalid']).toBe('true');
  });

  test('labels its fields', () => {
    const page = parseHtml(lookup('empty').content);
    expect(named(page, 'label').map(({ attributes }) => attributes.for)).toEqual(['order_number', 'email_or_postcode']);
  });
});

describe('an error', () => {
  test.each([
    [404, 'There is no such page'],
    [429, 'A short break, please'],
    [413, 'This was too large'],
    [400, 'This did not work'],
    [500, 'We are sorry, something went wrong'],
    [503, 'We are sorry, something went wrong'],
  ])('of status %i says what to do, without a brand', (status, title) => {
    const answer = errorView({ status }, english);
    expect(answer.status).toBe(status);
    const page = parseHtml(answer.content);
    expect(textsOf(page, 'h1')).toEqual([title]);
    expect(textsOf(page, 'dt')).toEqual(['What you can do']);
    expect(named(page, 'img')).toEqual([]);
  });
});
