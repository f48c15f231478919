/** What a state means. `quiet` is for what means nothing in particular, such as a draft. */
export type Tone = 'moving' | 'arrived' | 'attention' | 'failed' | 'quiet';
