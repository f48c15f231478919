import type { Announcement as Stored } from '#schemas/families/announcements.ts';
import { call } from '../../api/client.ts';
import type { Resource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { can } from '../../app/session.ts';
import { language as ownLanguage, t } from '../../texts/texts.ts';
import { TextArea } from '../../ui/fields.tsx';
import { FormView } from '../../ui/form.tsx';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { Loaded } from '../../ui/states.tsx';
import { LanguageField } from './fields.tsx';
import { only, RecordPage, RemoveButton, useRecord, useRecordForm } from './records.tsx';
import { short } from './typed-texts.ts';

export default function Announcement({ params }: ViewProps) {
  const announcement = useRecord(params.uuid, async (uuid, signal) =>
    only(await call('searchAnnouncements', { query: { uuid }, signal })),
  );
  return (
    <Loaded resource={announcement} tried={t('marketing.announcements.triedOne')}>
      {() => <AnnouncementForm resource={announcement} />}
    </Loaded>
  );
}

interface Values {
  text: string;
  language: string;
}

const toValues = (announcement: Stored | null): Values => ({
  text: announcement?.text ?? '',
  language: announcement?.language ?? ownLanguage.value,
});

const toBody = ({ text, language }: Values) => ({ text, language: language as Stored['language'] });

function AnnouncementForm({ resource }: { resource: Resource<Stored | null> }) {
  const mayChange = can('updateAnnouncement');
  const { form, record, onSaved, ifMatch } = useRecordForm<Stored, Values>({
    kind: 'announcements',
    resource,
    toValues,
    isReadOnly: !mayChange,
    create: (values) => call('createAnnouncement', { body: toBody(values) }),
    update: ({ uuid }, values, ifMatch) =>
      call('updateAnnouncement', { params: { uuid }, body: toBody(values), ifMatch }),
  });
  const values = form.values.value;
  return (
    <RecordPage
      kind="announcements"
      title={record ? short(record.text, 60) : t('marketing.announcements.new')}
      actions={
        record &&
        can('deleteAnnouncement') && (
          <RemoveButton
            kind="announcements"
            name={short(record.text, 60)}
            remove={async () => call('deleteAnnouncement', { params: { uuid: record.uuid }, ifMatch: await ifMatch() })}
          />
        )
      }
    >
      <div class="columns">
        <FormView
          form={form}
          tried={t('marketing.announcements.notSaved')}
          action={record ? t('common.save') : t('marketing.announcements.create')}
          onSaved={onSaved}
        >
          <TextArea
            label={t('marketing.announcements.text')}
            help={t('marketing.announcements.textHelp')}
            maxLength={5000}
            required
            {...form.field('text')}
          />
          <LanguageField {...form.field('language')} />
        </FormView>
        <PreviewFrame
          draft={values.text.trim() === '' ? {} : { announcements: [toBody(values)] }}
          language={values.language}
          part="announcements"
        />
      </div>
    </RecordPage>
  );
}
