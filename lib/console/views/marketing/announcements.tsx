import type { Announcement } from '#schemas/families/announcements.ts';
import { call } from '../../api/client.ts';
import { t } from '../../texts/texts.ts';
import { languageName, languageOptions } from '../../ui/languages.ts';
import type { Column } from '../../ui/list.tsx';
import { Time } from '../../ui/time.tsx';
import { RecordList } from './record-list.tsx';
import { short } from './typed-texts.ts';

export default function Announcements() {
  return (
    <RecordList
      kind="announcements"
      create="createAnnouncement"
      read={(query, signal) => call('searchAnnouncements', { query, signal })}
      intro={t('marketing.announcements.intro')}
      filters={[{ name: 'language', label: t('marketing.language'), options: languageOptions() }]}
      name={{
        title: t('marketing.announcements.text'),
        textOf: ({ text }) => short(text, 120),
        csv: ({ text }) => text,
      }}
      columns={columns()}
    />
  );
}

const columns = (): Column<Announcement>[] => [
  { title: t('marketing.language'), cell: ({ language }) => languageName(language), csv: ({ language }) => language },
  {
    title: t('marketing.made'),
    cell: ({ created_at }) => <Time at={created_at} />,
    isMinor: true,
    csv: ({ created_at }) => created_at,
  },
];
