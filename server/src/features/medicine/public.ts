export { blockOf, reachable, trapped } from './batch/batch.rules'
export { type FilledFault, judgeFills } from './batch/fill.reads'
export { queueKey, queuesOf } from './batch/layer.store'
export {
  markTold,
  NOTICE_RECALL,
  PULL_RECALL,
  recallOfMachines,
  type RecallAnswer,
  takeRecallAnswers,
  takeRecallNews,
  TELL_RECALL,
} from './recall/recall.spread'
export { blockedAsks, holdsRecalled, marginsOf, stoppedAsks, stoppedBatches } from './batch/stop.reads'
export { ofLine } from './batch/batch.store'
export { enterBatches } from './batch/received.commands'
export { faultyTrace, receiveTraces, withdrawTraces } from './trace/received.commands'
export { type LoadedTraces, type SoldTrace, takeTraces } from './trace/trace.commands'
export { loseSoldOut } from './trace/trace.store'
export { limitedRefusal } from './limit.rules'
export { limitedOf, limitFor } from './limit.store'
export { countCareDue } from './care.reads'
export { countExpired, expiryNews } from './expiry.reads'
export { findOffered, findSetsAt, type OfferedSet } from './combination.store'
export { PUSH_SETS } from './combination'
export { setPriceOf } from './combination.rules'
export { isOffered, offeredFen } from './offer'
export { dosageFormIn } from './dosageForm'
