import type { Announcement } from '#schemas/families/announcements.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { SelectField } from '../../ui/fields.tsx';
import { languageName, languageOptions } from '../../ui/languages.ts';
import { Filters, filter, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ListOf, NewLink, pathOf } from './records.tsx';
import { short } from './typed-texts.ts';

export default function Announcements() {
  const page = pageOf();
  const language = filter('language');
  const query = { page, per_page: perPage, language };
  const found = useResource(JSON.stringify(query), (signal) => call('searchAnnouncements', { query, signal }));
  return (
    <Page
      title={t('marketing.announcements.title')}
      actions={can('createAnnouncement') && <NewLink kind="announcements" />}
    >
      <p class="muted">{t('marketing.announcements.intro')}</p>
      <Filters names={['language']}>
        <SelectField
          label={t('marketing.language')}
          name="language"
          value={language}
          onValue={() => {}}
          options={[{ value: '', label: t('common.all') }, ...languageOptions()]}
        />
      </Filters>
      <Loaded resource={found} tried={t('marketing.announcements.tried')}>
        {(rows) => (
          <ListOf
            kind="announcements"
            rows={rows}
            isNarrowed={page > 1 || language !== ''}
            mayCreate={can('createAnnouncement')}
          >
            <Table
              caption={t('marketing.announcements.title')}
              columns={columns()}
              rows={rows}
              rowKey={({ uuid }) => uuid}
            />
          </ListOf>
        )}
      </Loaded>
    </Page>
  );
}

const columns = () => [
  {
    title: t('marketing.announcements.text'),
    cell: ({ uuid, text }: Announcement) => (
      <RowLink to={href(pathOf('announcements', uuid))}>{short(text, 120)}</RowLink>
    ),
  },
  { title: t('marketing.language'), cell: ({ language }: Announcement) => languageName(language) },
  { title: t('marketing.made'), cell: ({ created_at }: Announcement) => <Time at={created_at} />, isMinor: true },
];
