export { countWaitingCounts } from './count.reads'
export { PUSH_COUNTS } from './post.commands'
export { countedSlots } from './pushed.reads'
