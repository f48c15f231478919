import { stage } from '../stage.ts';

/** Of `npm start` and the tests, which depend on what is not set here. Nobody deploys it. */
export default stage({});
