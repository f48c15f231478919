import { stage } from '../stage.ts';

/** Before the first deployment, set `alarmEmail` and `domain`: lib/README.md explains the settings. */
export default stage({ logRetentionDays: 90, logLevel: 'WARN' });
