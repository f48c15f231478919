import type { meta } from '../families/meta.ts';
import type { ExamplesOf } from './example.ts';

const page = '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">';

/** Of the documents only the beginning is shown. */
export const metaExamples = {
  getHealth: { response: { status: 'ok' } },
  getDescription: {
    response: '{"openapi":"3.1.0","info":{"title":"Post-purchase delivery tracking","version":"1.0.0"}}',
  },
  getDocs: { response: page },
  getDocsPage: { params: { page: 'orders' }, response: page },
} satisfies ExamplesOf<typeof meta>;
