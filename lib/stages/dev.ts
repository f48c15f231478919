import { stage } from '../stage.ts';

export default stage({ logRetentionDays: 7 });
