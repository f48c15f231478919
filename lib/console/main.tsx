import './console.css';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { loadLogin } from './app/load-login.ts';
import { place, startRouter } from './app/router.ts';
import { fetchView } from './app/routes.ts';
import { followOtherTabs, loadSession } from './app/session.ts';
import { applyTheme } from './app/theme.ts';
import { chooseLanguage } from './texts/texts.ts';

applyTheme();
startRouter();
followOtherTabs();
// The code of the view comes while the session is read, and not after it.
fetchView(place.value.path);
await Promise.all([chooseLanguage(), loadSession()]);
render(<App />, document.getElementById('app')!);
// A session may end after a new release has replaced the files.
loadLogin().catch(() => {});
