import './console.css';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { startRouter } from './app/router.ts';
import { followOtherTabs, loadSession } from './app/session.ts';
import { applyTheme } from './app/theme.ts';
import { chooseLanguage } from './texts/texts.ts';

applyTheme();
startRouter();
followOtherTabs();
await Promise.all([chooseLanguage(), loadSession()]);
render(<App />, document.getElementById('app')!);
