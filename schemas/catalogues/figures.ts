/**
 * The version of what figures mean: what is handed over, delivered, ended otherwise, a first attempt, a promise, a silence.
 * Whoever changes one of these raises it. Then the figures are counted anew under the new version, and every answer says
 * which one it has, so that no past figure changes without notice.
 */
export const figuresDefinition = 1;
